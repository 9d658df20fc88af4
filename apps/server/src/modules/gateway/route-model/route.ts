/** A route as the pipeline holds it in memory, and the targets it stands for. Tested through routes.test.ts. */
import type { EgressTimeouts } from '../../../kernel/egress/exchange.ts'
import type { FallbackCause } from '../providers/fault.ts'
import type { Provider, Target } from '../providers/provider.ts'
import type { RouteCache } from '../schemas/cache.ts'
import type { Conditions } from '../schemas/conditions.ts'
import type { Retry, RouteRow } from './schemas.ts'
import type { Strategy } from './strategy.ts'

export interface Route {
  readonly id: string
  readonly name: string
  /** Changes with every change of the route. */
  readonly version: number
  readonly strategy: Strategy
  readonly paused: boolean
  readonly targets: readonly RouteTarget[]
  readonly fallbackOn: readonly FallbackCause[]
  readonly retry: Retry
  readonly hedgeAfterMs: number | null
  /** Stand before the provider's own. */
  readonly timeouts: Partial<EgressTimeouts>
  readonly stickyKey: string
  /** Tightens the policies; no effect when absent. */
  readonly cache?: RouteCache | null
}

interface RouteTarget {
  readonly providerId: string
  readonly model: string
  readonly weight: number
  readonly priority: number
  readonly conditions: Conditions | null
}

export type StoredRoute = Omit<RouteRow, 'tenant_id' | 'created_at' | 'updated_at'>

export function readRoute(stored: StoredRoute): Route {
  const { connect_ms: connect, first_byte_ms: firstByte, idle_ms: idle, total_ms: total } = stored.timeouts
  return {
    id: stored.id,
    name: stored.name,
    version: stored.version,
    strategy: stored.strategy,
    paused: stored.status === 'paused',
    targets: stored.targets.map(({ provider_id: providerId, model, weight, priority, conditions }) => {
      return { providerId, model, weight, priority, conditions }
    }),
    fallbackOn: stored.fallback_on,
    retry: stored.retry,
    hedgeAfterMs: stored.hedge?.after_ms ?? null,
    timeouts: {
      ...(connect === undefined ? {} : { connectMs: connect }),
      ...(firstByte === undefined ? {} : { firstByteMs: firstByte }),
      ...(idle === undefined ? {} : { idleMs: idle }),
      ...(total === undefined ? {} : { totalMs: total }),
    },
    stickyKey: stored.sticky_key,
    cache: stored.cache,
  }
}

/** Targets whose provider is enabled and still has the model, in the order of the route. */
export function targetsOfRoute(
  route: Route,
  providers: readonly Provider[],
  serves: (provider: Provider, model: string) => boolean,
): readonly Target[] {
  return route.targets.flatMap(({ providerId, model, weight, priority, conditions }): readonly Target[] => {
    const provider = providers.find(({ id, enabled }) => enabled && id === providerId)
    if (provider === undefined || !serves(provider, model)) return []
    const timed = { ...provider, timeouts: { ...provider.timeouts, ...route.timeouts } }
    return [{ provider: timed, model, place: { weight, priority, conditions } }]
  })
}
