/**
 * Health of each provider as this instance sees it: a breaker that stops asking one that keeps failing, keys that rest
 * after a rate limit, and the state shown to people. Promises at most one event per change of state; does not probe.
 * Tested in health.test.ts.
 */
import type { TenantId } from '../../../kernel/auth/actor.ts'
import type { Clock } from '../../../kernel/kernel.ts'
import { type Breaker, createBreaker } from './breaker.ts'
import { faultRules, type UpstreamFault } from './fault.ts'
import { createKeyPool, type KeyPool } from './key-pool.ts'
import type { Provider } from './provider.ts'

export type Health = 'healthy' | 'degraded' | 'down'

export interface HealthChange {
  readonly tenantId: TenantId
  readonly providerId: string
  readonly state: Health
  readonly reason: string | null
  /** Share of the last calls that failed. */
  readonly errorRate: number
}

export interface ProviderHealth {
  readonly keys: KeyPool
  /** Milliseconds until the provider may be asked again; 0 when it may be asked now. */
  restMs(provider: Provider): number
  succeeded(tenantId: TenantId, provider: Provider, secretId: string | null): void
  failed(tenantId: TenantId, provider: Provider, failure: ProviderFailure): void
}

export interface ProviderFailure {
  readonly fault: UpstreamFault
  readonly secretId: string | null
}

export interface HealthParts {
  readonly clock: Pick<Clock, 'now'>
  readonly fraction: () => number
  readonly changed: (change: HealthChange) => void
}

interface Watched {
  readonly breaker: Breaker
  shown: Health | null
}

export function createProviderHealth({ clock, fraction, changed }: HealthParts): ProviderHealth {
  const keys = createKeyPool(clock, fraction)
  const watched = new Map<string, Watched>()
  const watch = ({ id }: Provider): Watched => {
    const known = watched.get(id) ?? { breaker: createBreaker(clock), shown: null }
    watched.set(id, known)
    return known
  }
  const show = (one: Watched, change: Omit<HealthChange, 'errorRate'>): void => {
    if (one.shown === change.state) return
    one.shown = change.state
    changed({ ...change, errorRate: one.breaker.errorRate() })
  }
  return {
    keys,
    restMs: (provider) => watched.get(provider.id)?.breaker.restMs() ?? 0,
    succeeded: (tenantId, provider, secretId) => {
      const one = watch(provider)
      one.breaker.succeeded()
      if (secretId !== null) keys.recovered(provider, secretId)
      show(one, { tenantId, providerId: provider.id, state: 'healthy', reason: null })
    },
    failed: (tenantId, provider, { fault, secretId }) => {
      if (fault.kind === 'rate_limited' && secretId !== null) keys.rest(provider, secretId, fault.retryAfterMs)
      if (!faultRules[fault.kind].unhealthy) return
      const one = watch(provider)
      const about = { tenantId, providerId: provider.id }
      if (fault.kind === 'credential') {
        one.breaker.noted()
        show(one, { ...about, state: 'degraded', reason: 'credential refused' })
      } else if (one.breaker.failed()) show(one, { ...about, state: 'down', reason: fault.kind })
    },
  }
}
