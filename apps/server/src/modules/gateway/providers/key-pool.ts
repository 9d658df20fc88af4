import type { Clock } from '../../../kernel/kernel.ts'
import type { Provider, ProviderSecret } from './provider.ts'

const firstRestMs = 10_000
const longestRestMs = 300_000

/** Keys of providers and how long each of them rests after a rate limit. */
export interface KeyPool {
  /** Null for a provider without keys, undefined when all rest, are over or are in `spent`. */
  pick(provider: Provider, spent: ReadonlySet<string>): ProviderSecret | null | undefined
  /** Milliseconds until the first resting key may be used again; null when none rests. */
  restMs(provider: Provider): number | null
  /** `wantedMs` is the provider's own wish. */
  rest(provider: Provider, secretId: string, wantedMs: number | null): void
  recovered(provider: Provider, secretId: string): void
}

export function createKeyPool(clock: Pick<Clock, 'now'>, fraction: () => number): KeyPool {
  const rests = new Map<string, { readonly until: number; readonly times: number }>()
  const keyOf = (provider: Provider, secretId: string): string => `${provider.id}:${secretId}`
  const untilOf = (provider: Provider, secretId: string): number => rests.get(keyOf(provider, secretId))?.until ?? 0
  return {
    pick: (provider, spent) => {
      if (provider.secrets.length === 0) return null
      const now = clock.now()
      const usable = provider.secrets.filter(
        ({ id, expiresAt }) =>
          !spent.has(id) && (expiresAt === null || expiresAt > now) && untilOf(provider, id) <= now,
      )
      return drawByWeight(usable, fraction())
    },
    restMs: (provider) => {
      const ends = provider.secrets.flatMap(({ id }) => rests.get(keyOf(provider, id))?.until ?? [])
      return ends.length === 0 ? null : Math.max(0, Math.min(...ends) - clock.now())
    },
    rest: (provider, secretId, wantedMs) => {
      const key = keyOf(provider, secretId)
      const times = (rests.get(key)?.times ?? 0) + 1
      const ms = Math.min(wantedMs ?? firstRestMs * 2 ** (times - 1), longestRestMs)
      rests.set(key, { until: clock.now() + ms, times })
    },
    recovered: (provider, secretId) => {
      rests.delete(keyOf(provider, secretId))
    },
  }
}

function drawByWeight(secrets: readonly ProviderSecret[], fraction: number): ProviderSecret | undefined {
  let left = fraction * secrets.reduce((sum, { weight }) => sum + weight, 0)
  for (const secret of secrets) {
    left -= secret.weight
    if (left < 0) return secret
  }
  return secrets.at(-1)
}
