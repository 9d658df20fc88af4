import { routesOf } from '../../../kernel/module/route.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import { usageOf } from './usage.ts'
import { Usage, UsageQuery } from './usage-schemas.ts'

const route = routesOf<GatewayServices>()

export const usageRoutes = [
  route.get('/usage', {
    permission: 'gateway:read',
    summary: 'Usage, cost, latency and security analytics',
    description:
      'From hourly counts, which follow a call within seconds. Without `gateway:admin` or the role of an auditor, of the caller’s own calls.',
    query: UsageQuery,
    returns: [200, Usage],
    handler: ({ tx, kernel, actor, query }) => usageOf(kernel, tx, actor, query),
  }),
]
