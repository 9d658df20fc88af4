import Type from 'typebox'
import { apiErrors } from '../../kernel/http/errors.ts'
import { routesOf } from '../../kernel/route.ts'
import { listRequests, readRequest } from './requests.ts'
import { LoggedRequest, RequestFilter, RequestQuery, RequestSummary } from './schemas/request.ts'
import { scopeOf } from './scope.ts'
import type { GatewayServices } from './services.ts'
import { requests } from './tables.ts'

const route = routesOf<GatewayServices>()

export const requestRoutes = [
  route.get('/requests', {
    permission: 'gateway:read',
    summary: 'List and search logged calls',
    description: 'Without `gateway:admin` or the role of an auditor, only the caller’s own.',
    query: RequestFilter,
    returns: [200, RequestSummary],
    list: { table: requests, default: '-created_at' },
    handler: ({ tx, actor, page, query }) => listRequests(tx, actor, { page, filter: query }),
  }),
  route.get('/requests/{request_id}', {
    permission: 'gateway:read',
    summary: 'Read a logged call with its steps',
    description:
      'By the id of its log row or of its HTTP request. `verify=true` checks its place in the audit chain again. `security.explain` names the rules behind a flag or a block, for those who see all calls.',
    params: { request_id: Type.String({ pattern: '^(?:req_)?[0-9a-zA-Z-]{1,64}$', maxLength: 68 }) },
    query: RequestQuery,
    returns: [200, LoggedRequest],
    errors: [apiErrors.notFound],
    ownTransactions: true,
    handler: (context) =>
      readRequest(context.kernel, scopeOf(context), context.actor, {
        id: context.params.request_id,
        verify: context.query.verify ?? false,
      }),
  }),
]
