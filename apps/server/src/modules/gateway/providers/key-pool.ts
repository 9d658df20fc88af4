/**
 * Which of a provider's keys is used. Keys that were limited rest; keys that were refused, and old versions of a rotated
 * key, are used only when nothing better is left. Tested in health.test.ts.
 */
import type { Clock } from '../../../kernel/base/clock.ts'
import type { Provider, ProviderSecret } from './provider.ts'

const firstRestMs = 10_000
/** Of our own choice; a provider that says how long is believed. */
const longestRestMs = 300_000

export interface KeyPool {
  /** Keys that may be used now, the best ones only; those in `spent` are left out. */
  usable(provider: Provider, spent: ReadonlySet<string>): readonly ProviderSecret[]
  /** One of these, by weight. */
  draw(secrets: readonly ProviderSecret[]): ProviderSecret | undefined
  /** Milliseconds until the first resting key may be used again; null when none rests. */
  restMs(provider: Provider): number | null
  /** The key was limited; `wantedMs` is the provider's own wish. */
  rest(provider: Provider, secret: ProviderSecret, wantedMs: number | null): void
  /** The provider does not know the key. */
  refused(provider: Provider, secret: ProviderSecret): void
  recovered(provider: Provider, secret: ProviderSecret): void
}

interface Rest {
  readonly until: number
  readonly times: number
}

export function createKeyPool(clock: Pick<Clock, 'now'>, fraction: () => number): KeyPool {
  const rests = new Map<string, Rest>()
  const refusals = new Set<string>()
  const untilOf = (provider: Provider, secret: ProviderSecret): number =>
    rests.get(placeOf(provider, secret))?.until ?? 0
  return {
    usable: (provider, spent) => {
      const now = clock.now()
      const usable = provider.secrets.filter(
        (secret) =>
          !spent.has(secret.id) &&
          (secret.expiresAt === null || secret.expiresAt > now) &&
          untilOf(provider, secret) <= now,
      )
      const rank = (secret: ProviderSecret): number =>
        (refusals.has(placeOf(provider, secret)) ? 2 : 0) + (secret.standby === true ? 1 : 0)
      const best = Math.min(...usable.map(rank))
      return usable.filter((secret) => rank(secret) === best)
    },
    draw: (secrets) => drawByWeight(secrets, fraction()),
    restMs: (provider) => {
      const ends = provider.secrets.flatMap((secret) => rests.get(placeOf(provider, secret))?.until ?? [])
      return ends.length === 0 ? null : Math.max(0, Math.min(...ends) - clock.now())
    },
    rest: (provider, secret, wantedMs) => {
      const place = placeOf(provider, secret)
      const times = (rests.get(place)?.times ?? 0) + 1
      const ms = wantedMs ?? Math.min(firstRestMs * 2 ** (times - 1), longestRestMs)
      rests.set(place, { until: clock.now() + ms, times })
    },
    refused: (provider, secret) => {
      refusals.add(placeOf(provider, secret))
    },
    recovered: (provider, secret) => {
      rests.delete(placeOf(provider, secret))
      refusals.delete(placeOf(provider, secret))
    },
  }
}

/** A new version of a key begins anew. */
function placeOf({ id }: Provider, secret: ProviderSecret): string {
  return `${id}:${secret.id}:${secret.version ?? 1}`
}

function drawByWeight(secrets: readonly ProviderSecret[], fraction: number): ProviderSecret | undefined {
  let left = fraction * secrets.reduce((sum, { weight }) => sum + weight, 0)
  for (const secret of secrets) {
    left -= secret.weight
    if (left < 0) return secret
  }
  return secrets.at(-1)
}
