import type { Kernel } from '../../../kernel/kernel.ts'
import { routesOf } from '../../../kernel/module/route.ts'
import { nodesOf } from '../config/view.ts'
import { rotatesAt } from '../keys/next.ts'
import type { AdminServices } from '../services/admin-services.ts'
import type { CheckState } from '../services/health-service.ts'
import { Health, HealthQuery } from './schemas.ts'

const route = routesOf<AdminServices>()

const defaultAgeMs = 10_000

export const healthRoutes = [
  route.get('/health', {
    permission: 'admin:read',
    summary: 'Show what the installation depends on and how it stands',
    description:
      'Operators see the whole installation, everybody else their own tenant’s part. Always 200: the answer is the ' +
      'finding. A check becomes worse after three findings in a row and better after two. One that is asked for by name and does not ' +
      'exist, or not for the caller, fails.',
    query: HealthQuery,
    returns: [200, Health],
    whileSuspended: true,
    handler: async ({ actor, query, services, kernel }) => {
      const { health, settings } = services
      const age = query.max_age_ms ?? defaultAgeMs
      const own = await health.tenant(actor.tenantId, age)
      const all = actor.operator ? { ...(await health.platform(age)), ...own } : own
      const wanted = query.checks?.split(',')
      const unknown = wanted
        ?.filter((name) => !Object.hasOwn(all, name))
        .map((name) => [name, nobodys(kernel)] as const)
      const checks = Object.fromEntries(
        [...Object.entries(all), ...(unknown ?? [])]
          .filter(([name]) => wanted === undefined || wanted.includes(name))
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      )
      const keys = await (actor.operator ? kernel.keys.inventory() : kernel.keys.dataKeys(actor.tenantId))
      return {
        status: worst(Object.values(checks)),
        checks,
        keys: keys.map((key) => ({ ...key, rotates_at: rotatesAt(kernel, actor.tenantId, key) })),
        nodes: actor.operator ? [...(await nodesOf({ kernel, store: settings }))] : [],
      }
    },
  }),
]

/** A monitor expects a check that does not exist, for instance after a typo in its name: report it. */
function nobodys({ clock }: Pick<Kernel, 'clock'>): CheckState {
  const now = clock.iso()
  const times = { latency_ms: 0, since: now, checked_at: now }
  return { status: 'fail', last_status: 'fail', ...times, error_class: 'UnknownCheck', observed: {} }
}

function worst(checks: readonly CheckState[]): CheckState['status'] {
  if (checks.some(({ status }) => status === 'fail')) return 'fail'
  return checks.some(({ status }) => status === 'warn') ? 'warn' : 'pass'
}
