import { holds } from '../../../../kernel/access/permissions.ts'
import { apiErrors, authErrors } from '../../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../../kernel/module/request-scope.ts'
import { Answer, routesOf } from '../../../../kernel/module/route.ts'
import { errors } from '../../declared/errors.ts'
import { rulePrecision } from '../../feedback/precision.ts'
import { readOriginal } from '../../retention/read-original.ts'
import { LoggedRequest, RequestFilter, RequestQuery, RequestSummary } from '../../schemas/request.ts'
import { requests } from '../../schemas/tables.ts'
import type { GatewayServices } from '../../services/gateway-services.ts'
import { requestIdParam } from '../request-id.ts'
import { listRequests } from '../requests.ts'
import { readRequest } from './logged-request.ts'

const route = routesOf<GatewayServices>()

export const requestRoutes = [
  route.get('/requests', {
    permission: 'gateway:read',
    summary: 'List and search logged calls',
    description:
      'Without `gateway:admin` or the role of an auditor, only the caller’s own. `q` searches the content that was kept; name a time range with it. `include=rule_precision` puts into `meta` how often each rule was right according to feedback of the time range; it needs `gateway:admin`.',
    query: RequestFilter,
    returns: [200, RequestSummary],
    list: { table: requests, default: '-created_at' },
    errors: [authErrors.forbidden],
    handler: async ({ tx, actor, page, query: { include, ...filter } }) => {
      if (include === undefined) return listRequests(tx, actor, { page, filter })
      if (!holds(actor.permissions, 'gateway:admin')) throw authErrors.forbidden({ permission: 'gateway:admin' })
      const found = await listRequests(tx, actor, { page, filter })
      return new Answer(found, { meta: { rule_precision: await rulePrecision(tx, filter) } })
    },
  }),
  route.get('/requests/{request_id}', {
    permission: 'gateway:read',
    summary: 'Read a logged call with its steps',
    description:
      'By the id of its log row or of its HTTP request. `verify=true` checks its place in the audit chain again, also when retention has removed the call, by the id of its row: the answer is then 404 with the member `verification`. `original=true` shows what the caller sent and got, where a policy keeps that, and leaves an audit entry. `security.explain` names the rules behind a flag or a block, for those who see all calls.',
    params: requestIdParam,
    query: RequestQuery,
    returns: [200, LoggedRequest],
    errors: [apiErrors.notFound, authErrors.forbidden, authErrors.stepUp, errors.payloadNotRetained],
    ownTransactions: true,
    handler: async (context) => {
      const { actor, kernel, params, query } = context
      const scope = scopeOf(context)
      const shown = await readRequest(kernel, scope, actor, { id: params.request_id, verify: query.verify ?? false })
      if (query.original !== true) return shown
      const original = await readOriginal(kernel, scope, actor, params.request_id)
      return new Answer({ ...shown, original }, { headers: { 'cache-control': 'no-store' } })
    },
  }),
]
