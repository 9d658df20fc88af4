/**
 * Decisions of people about held calls. Promises that nobody decides twice, that neither an agent nor the person it acts
 * for decides, and that a decision is about the very arguments its maker has seen. Tested in approvals.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Precondition } from '../../../kernel/http/answer/etag.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { change, hold } from '../../../kernel/resource/resource.ts'
import { isPerson, maySecond } from '../../../kernel/second-person/people.ts'
import { errors } from '../errors/errors.ts'
import type { ApprovalParts } from './parts.ts'
import { type Approval, type ApprovalDecision, type ApprovalRow, approvalView } from './schema.ts'
import { settle } from './settle.ts'
import { approvalResource } from './table.ts'

export interface Decision {
  readonly actor: Actor
  readonly id: string
  readonly precondition: Precondition
  readonly input: ApprovalDecision
}

/** Records a decision; a denial and the last approval needed settle it. @throws API-001, API-012, API-013, AEGIS-009, AEGIS-010 */
export async function decideApproval(
  parts: ApprovalParts,
  tx: Tx,
  { actor, input, ...wanted }: Decision,
): Promise<Versioned<Approval>> {
  const { clock } = parts.kernel
  const allow = (row: ApprovalRow): void => {
    if (row.status !== 'pending') throw errors.settled({ status: row.status })
    if (row.expires_at <= clock.iso()) throw errors.settled({ status: 'expired' })
    needApprover(actor, row)
  }
  const held = await hold(tx, approvalResource, { ...wanted, allow })
  const { row } = held
  refuseOtherArguments(row, input)
  const made = { by: actor.userId, decision: input.decision, comment: input.comment ?? null, at: clock.iso() }
  const decisions = [...row.decisions, made]
  const isLast = input.decision === 'deny' || decisions.length >= row.required_approvals
  const status = input.decision === 'deny' ? 'denied' : 'approved'
  const after = isLast
    ? await settle(parts, tx, held, { status, by: actor.userId, decisions })
    : await change({ clock }, tx, held, { action: 'aegis.approval.decide', changes: { decisions } })
  return new Versioned(approvalView(after), after.version)
}

/** @throws API-001 where the arguments are not those of the approval */
function refuseOtherArguments({ args_sha256 }: ApprovalRow, input: ApprovalDecision): void {
  if (input.args_sha256 === args_sha256) return
  const detail = 'This is not the digest of the arguments that wait for approval. Read the approval again.'
  throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/args_sha256' }])
}

/** @throws AEGIS-009 */
function needApprover(actor: Actor, row: ApprovalRow): void {
  const refusal = refusalFor(actor, row)
  if (refusal !== null) throw errors.secondPerson({ what: refusal })
}

/** Why the person may not decide; null where they may. */
function refusalFor(actor: Actor, row: ApprovalRow): string | null {
  if (!isPerson(actor)) return 'Calls of agents are approved by people.'
  if (row.approver_roles.length > 0 && !actor.roles.some((role) => row.approver_roles.includes(role)))
    return `An approver of this call has one of the roles ${row.approver_roles.join(', ')}.`
  // An agent without a user has no account, so only the age of the approver's account counts then.
  const asked = { by: row.user_id ?? row.agent_id, at: row.created_at }
  const before = row.decisions.map(({ by, at }) => ({ by, at }))
  const mayDecide = [asked, ...before].every(({ by, at }) =>
    maySecond({ userId: by, origin: null, requestedMs: Date.parse(at) }, actor),
  )
  return mayDecide
    ? null
    : 'Another person decides than the one the agent acts for and those who decided before, with an account and credentials of their own.'
}
