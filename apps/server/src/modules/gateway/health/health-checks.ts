import type { HealthCheck, TenantCheck } from '../../../kernel/health/checks.ts'
import type { TenantSnapshots } from '../policy/snapshot.ts'
import type { ProviderHealth } from '../providers/health.ts'

interface Watched {
  readonly health: Pick<ProviderHealth, 'breakers' | 'view'>
  readonly snapshots: Pick<TenantSnapshots, 'get'>
}

/** Shows the number of open circuit breakers of providers. */
export function breakerCheck({ health }: Pick<Watched, 'health'>): HealthCheck {
  return {
    name: 'provider_breakers',
    run: async () => {
      const { closed, open, half_open } = health.breakers()
      return { status: open > 0 ? 'warn' : 'pass', observed: { closed, open, half_open } }
    },
  }
}

/** Shows a tenant which of its providers have an open breaker. */
export function providerCheck({ health, snapshots }: Watched): TenantCheck {
  return {
    name: 'providers',
    run: async (tenantId) => {
      const { providers } = await snapshots.get(tenantId)
      const resting = providers.filter(({ id }) => health.view(id).some(({ state }) => state === 'open'))
      const all = providers.length > 0 && resting.length === providers.length
      return {
        status: all ? 'fail' : resting.length > 0 ? 'warn' : 'pass',
        observed: {
          providers: providers.length,
          resting: resting
            .map(({ name }) => name)
            .slice(0, 20)
            .join(', '),
        },
      }
    },
  }
}
