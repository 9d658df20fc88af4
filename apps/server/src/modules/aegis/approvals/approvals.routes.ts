import { apiErrors } from '../../../kernel/errors/errors.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { errors } from '../errors/errors.ts'
import { listApprovals } from './approvals.ts'
import { decideApproval } from './decide.ts'
import { Approval, ApprovalDecision, ApprovalFilter, ListedApproval } from './schema.ts'
import { approvals } from './table.ts'

const route = routesOf<object>()

export const approvalRoutes = [
  route.get('/approvals', {
    permission: 'aegis:read',
    summary: 'List tool calls of agents that wait for people, and those that were decided',
    description:
      '`approver=me` gives the pending ones that the caller may decide. `q` finds the beginning of the name of a tool or a server.',
    query: ApprovalFilter,
    returns: [200, ListedApproval],
    list: { table: approvals, default: '-created_at' },
    handler: ({ tx, page, query, actor, kernel }) =>
      listApprovals(tx, { page, filter: query, actor, now: kernel.clock.now() }),
  }),
  route.post('/approvals/{approval_id}/decision', {
    permission: 'aegis:write',
    summary: 'Approve or deny a held tool call',
    description:
      '`args_sha256` is that of the approval, so that the decision is about the arguments that were read. Agents, the person the agent acts for and those who decided before cannot decide. One denial ends it; it is approved when `required_approvals` people have approved, and then one call with the same arguments may be made within ten minutes.',
    body: ApprovalDecision,
    returns: [200, Approval],
    audit: 'aegis.approval.decide',
    errors: [
      apiErrors.notFound,
      apiErrors.preconditionFailed,
      apiErrors.validation,
      errors.secondPerson,
      errors.settled,
    ],
    handler: ({ tx, kernel, actor, params, body, precondition }) =>
      decideApproval({ kernel }, tx, { actor, id: params.approval_id, input: body, precondition }),
  }),
]
