/**
 * Health of targets as this instance sees it: a breaker for each provider, key and model, keys that rest after a rate
 * limit, and the state shown to people. Promises at most one event per change of state, and that findings of other
 * instances count here too; does not probe. Tested in health.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Clock } from '../../../kernel/base/clock.ts'
import { SecretUnreadable } from '../../../kernel/named-secrets/unreadable.ts'
import { type Breaker, type BreakerNews, type BreakerState, createBreaker } from './breaker.ts'
import { faultRules, type UpstreamFault } from './fault.ts'
import { createKeyPool } from './key-pool.ts'
import type { ProviderSecret, Target } from './provider.ts'

export type Health = 'healthy' | 'degraded' | 'down'

export interface HealthChange {
  readonly tenantId: TenantId
  readonly providerId: string
  readonly state: Health
  readonly reason: string | null
  /** Share of the last calls that failed. */
  readonly errorRate: number
}

/** A breaker that has just opened, for the other instances. */
export interface OpenedBreaker extends BreakerNews {
  readonly tenantId: TenantId
  readonly providerId: string
  readonly keyId: string | null
  readonly model: string
}

/** Credentials for asking a target. A null key means that its provider needs none. */
export type Taken =
  | { readonly kind: 'taken'; readonly secret: ProviderSecret | null }
  /** Every key rests after a rate limit, is over or was tried. */
  | { readonly kind: 'limited'; readonly restMs: number | null }
  | { readonly kind: 'open'; readonly restMs: number }

export interface BreakerView {
  readonly keyId: string | null
  readonly model: string
  readonly state: BreakerState
  readonly restMs: number
  readonly errorRate: number
}

export interface ProviderHealth {
  /** Milliseconds until the target may be asked; 0 when it may be asked now. Takes nothing. */
  restMs(target: Target): number
  /** A key and a place in its breaker; the caller reports the outcome with one of the next three. */
  take(target: Target, spent: ReadonlySet<string>): Taken
  /** Whether another key than those in `spent` could be taken. */
  hasOtherKey(target: Target, spent: ReadonlySet<string>): boolean
  succeeded(tenantId: TenantId, target: Target, secret: ProviderSecret | null): void
  failed(tenantId: TenantId, target: Target, failure: TargetFailure): void
  /** The call ended for reasons of its own. */
  left(target: Target, secret: ProviderSecret | null): void
  /** Takes over a breaker that another instance opened. */
  adopt(news: OpenedBreaker): void
  view(providerId: string): readonly BreakerView[]
  /** How many breakers of all providers are in each state. */
  breakers(): Readonly<Record<BreakerState, number>>
}

export interface TargetFailure {
  readonly fault: UpstreamFault
  readonly secret: ProviderSecret | null
}

export interface HealthParts {
  readonly clock: Pick<Clock, 'now'>
  readonly fraction: () => number
  readonly changed: (change: HealthChange) => void
  readonly opened: (news: OpenedBreaker) => void
}

interface Watched {
  /** By key and model. */
  readonly breakers: Map<string, { readonly keyId: string | null; readonly model: string; readonly breaker: Breaker }>
  shown: Health | null
  /** A key was refused and nothing has worked since. */
  refused: boolean
}

/** Providers and, in each, breakers that are held at once; the oldest leaves. */
const mostProviders = 10_000
const mostBreakers = 1000

export function createProviderHealth({ clock, fraction, changed, opened }: HealthParts): ProviderHealth {
  const keys = createKeyPool(clock, fraction)
  const watched = new Map<string, Watched>()
  const watch = (providerId: string): Watched => {
    const known = watched.get(providerId) ?? { breakers: new Map(), shown: null, refused: false }
    bounded(watched.set(providerId, known), mostProviders)
    return known
  }
  const breakerOf = (providerId: string, keyId: string | null, model: string): Breaker => {
    const { breakers } = watch(providerId)
    const place = `${keyId ?? ''} ${model}`
    const known = breakers.get(place) ?? { keyId, model, breaker: createBreaker(clock) }
    bounded(breakers.set(place, known), mostBreakers)
    return known.breaker
  }
  const restOf = ({ provider, model }: Target, keyId: string | null): number => {
    const known = watched.get(provider.id)?.breakers.get(`${keyId ?? ''} ${model}`)
    return known === undefined ? 0 : known.breaker.restMs()
  }
  const show = (tenantId: TenantId, providerId: string, fault: UpstreamFault | null): void => {
    const one = watch(providerId)
    const state = stateOf(one)
    // A failure that opens no breaker yet does not make a provider healthy, and changes nothing for a provider without
    // a reported state.
    if (one.shown === state || (state === 'healthy' && fault !== null)) return
    one.shown = state
    const reason = state === 'healthy' ? null : reasonOf(one.refused, fault)
    changed({ tenantId, providerId, state, reason, errorRate: worstRate(one) })
  }
  const candidates = ({ provider }: Target, spent: ReadonlySet<string>): readonly (ProviderSecret | null)[] =>
    provider.secrets.length === 0 ? (spent.size > 0 ? [] : [null]) : keys.usable(provider, spent)

  return {
    restMs: (target) => {
      const usable = candidates(target, nothingSpent)
      // Without a usable key its breakers say nothing; that the keys rest is told when it is asked.
      return usable.length === 0 ? 0 : Math.min(...usable.map((secret) => restOf(target, secret?.id ?? null)))
    },
    take: (target, spent) => {
      const { provider, model } = target
      const usable = candidates(target, spent)
      if (usable.length === 0) return { kind: 'limited', restMs: keys.restMs(provider) }
      const awake = usable.filter((secret) => restOf(target, secret?.id ?? null) === 0)
      const secret = provider.secrets.length === 0 ? null : keys.draw(awake.filter((one) => one !== null))
      const isOpen = awake.length === 0 || secret === undefined
      if (isOpen || !breakerOf(provider.id, secret?.id ?? null, model).enter())
        return { kind: 'open', restMs: Math.min(...usable.map((one) => restOf(target, one?.id ?? null))) }
      return { kind: 'taken', secret }
    },
    hasOtherKey: (target, spent) => target.provider.secrets.length > 0 && candidates(target, spent).length > 0,
    succeeded: (tenantId, { provider, model }, secret) => {
      breakerOf(provider.id, secret?.id ?? null, model).succeeded()
      if (secret !== null) keys.recovered(provider, secret)
      watch(provider.id).refused = false
      show(tenantId, provider.id, null)
    },
    failed: (tenantId, { provider, model }, { fault, secret }) => {
      const keyId = secret?.id ?? null
      const breaker = breakerOf(provider.id, keyId, model)
      if (fault.kind === 'rate_limited' && secret !== null) keys.rest(provider, secret, fault.retryAfterMs)
      if (fault.kind === 'credential') {
        watch(provider.id).refused = true
        if (secret !== null) keys.refused(provider, secret)
      }
      if (!faultRules[fault.kind].breaks) breaker.left()
      else if (breaker.failed()) opened({ tenantId, providerId: provider.id, keyId, model, ...breaker.news() })
      if (faultRules[fault.kind].unhealthy) show(tenantId, provider.id, fault)
    },
    left: ({ provider, model }, secret) => breakerOf(provider.id, secret?.id ?? null, model).left(),
    adopt: ({ tenantId, providerId, keyId, model, openUntil, rests }) => {
      if (breakerOf(providerId, keyId, model).adopt({ openUntil, rests })) show(tenantId, providerId, null)
    },
    view: (providerId) => {
      const known = watched.get(providerId)?.breakers.values() ?? []
      return [...known].map(({ keyId, model, breaker }) => {
        return { keyId, model, state: breaker.state(), restMs: breaker.restMs(), errorRate: breaker.errorRate() }
      })
    },
    breakers: () => countStates(watched.values()),
  }
}

function countStates(watched: Iterable<Watched>): Record<BreakerState, number> {
  const counts = { closed: 0, open: 0, half_open: 0 }
  for (const { breakers } of watched) for (const { breaker } of breakers.values()) counts[breaker.state()] += 1
  return counts
}

const nothingSpent: ReadonlySet<string> = new Set()

function bounded(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}

function stateOf({ breakers, refused }: Watched): Health {
  const all = [...breakers.values()]
  const failing = all.filter(({ breaker }) => breaker.state() !== 'closed')
  if (failing.length > 0 && failing.length === all.length) return 'down'
  return failing.length > 0 || refused ? 'degraded' : 'healthy'
}

function worstRate({ breakers }: Watched): number {
  return Math.max(0, ...[...breakers.values()].map(({ breaker }) => breaker.errorRate()))
}

/** The reason in words for people who view the provider. */
function reasonOf(refused: boolean, fault: UpstreamFault | null): string {
  if (fault?.cause instanceof SecretUnreadable) return fault.message.slice(0, 200)
  return refused ? 'credential refused' : (fault?.kind ?? 'failing')
}
