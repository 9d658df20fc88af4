/**
 * Circuit breaker: stops asking a target that keeps failing. Closed, it lets every call through; open, none; after its
 * rest a few calls probe whether the target works again: a success closes it, a failure opens it for twice as long.
 * Tested in breaker.test.ts.
 */
import type { Clock } from '../../../kernel/base/clock.ts'

const failuresInARow = 5
const remembered = 20
const leastForRate = 10
const firstRestMs = 30_000
const longestRestMs = 300_000
const probesAtOnce = 3
/** A call that finds out and never comes back holds its place no longer than this. */
const probeMs = 30_000

export type BreakerState = 'closed' | 'open' | 'half_open'

/** A breaker's state as another instance reports it. */
export interface BreakerNews {
  /** Unix milliseconds. */
  readonly openUntil: number
  readonly rests: number
}

export interface Breaker {
  state(): BreakerState
  /** Milliseconds until a call may go through; 0 when one may now. Looks only. */
  restMs(): number
  /** Takes a place; false when there is none. A caller that takes one reports the outcome. */
  enter(): boolean
  succeeded(): void
  /** True when this failure opened it. */
  failed(): boolean
  /** The call ended in a way that says nothing about the target. */
  left(): void
  errorRate(): number
  news(): BreakerNews
  /** Believes another instance that it is open. True when that is new. */
  adopt(news: BreakerNews): boolean
}

export function createBreaker(clock: Pick<Clock, 'now'>): Breaker {
  let outcomes: boolean[] = []
  let inARow = 0
  let openUntil = 0
  let rests = 0
  /** Until when each probe under way holds its place. */
  let probes: number[] = []
  const probing = (): readonly number[] => {
    const now = clock.now()
    probes = probes.filter((until) => until > now)
    return probes
  }
  const stateNow = (): BreakerState => {
    if (openUntil === 0) return 'closed'
    return openUntil > clock.now() ? 'open' : 'half_open'
  }
  const remember = (ok: boolean): void => {
    outcomes = [...outcomes, ok].slice(-remembered)
    inARow = ok ? 0 : inARow + 1
  }
  const errorRate = (): number => (outcomes.length === 0 ? 0 : outcomes.filter((ok) => !ok).length / outcomes.length)
  const open = (): void => {
    openUntil = clock.now() + Math.min(longestRestMs, firstRestMs * 2 ** rests)
    rests += 1
    probes = []
  }
  const restMs = (): number => {
    const state = stateNow()
    if (state === 'closed') return 0
    if (state === 'open') return openUntil - clock.now()
    const busy = probing()
    return busy.length < probesAtOnce ? 0 : Math.min(...busy) - clock.now()
  }
  return {
    state: stateNow,
    errorRate,
    restMs,
    enter: () => {
      if (restMs() > 0) return false
      if (stateNow() === 'half_open') probes.push(clock.now() + probeMs)
      return true
    },
    left: () => {
      probes.shift()
    },
    succeeded: () => {
      // An answer to a call from before it opened says nothing about now.
      if (stateNow() === 'open') return
      // Failures before the rest are settled and must not open it again.
      if (stateNow() === 'half_open') outcomes = []
      remember(true)
      openUntil = 0
      rests = 0
      probes = []
    },
    failed: () => {
      const state = stateNow()
      remember(false)
      if (state === 'open') return false
      const tooMany = outcomes.length >= leastForRate && errorRate() >= 0.5
      if (state === 'closed' && inARow < failuresInARow && !tooMany) return false
      open()
      return true
    },
    news: () => ({ openUntil, rests }),
    adopt: (news) => {
      if (news.openUntil <= clock.now() || news.openUntil <= openUntil) return false
      openUntil = Math.min(news.openUntil, clock.now() + longestRestMs)
      rests = Math.max(rests, news.rests)
      probes = []
      return true
    },
  }
}
