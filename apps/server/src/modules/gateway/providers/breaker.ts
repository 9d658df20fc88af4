import type { Clock } from '../../../kernel/kernel.ts'

const failuresInARow = 5
const remembered = 20
const leastForRate = 10
const firstRestMs = 30_000
const longestRestMs = 300_000
/** A call that finds out and never comes back holds the others up no longer than this. */
const probeMs = 30_000

/** Stops asking what keeps failing; after a rest one call finds out whether it works again. */
export interface Breaker {
  /** Milliseconds to wait; 0 lets the caller through, and only one while it is half open. */
  restMs(): number
  succeeded(): void
  /** True when this failure opened it. */
  failed(): boolean
  /** Counts a failure that says nothing about the next call. */
  noted(): void
  errorRate(): number
}

export function createBreaker(clock: Pick<Clock, 'now'>): Breaker {
  let outcomes: boolean[] = []
  let inARow = 0
  let openUntil = 0
  let rests = 0
  let probingUntil = 0
  const remember = (ok: boolean): void => {
    outcomes = [...outcomes, ok].slice(-remembered)
    probingUntil = 0
  }
  const errorRate = (): number => (outcomes.length === 0 ? 0 : outcomes.filter((ok) => !ok).length / outcomes.length)
  return {
    errorRate,
    noted: () => remember(false),
    restMs: () => {
      const now = clock.now()
      if (openUntil > now) return openUntil - now
      if (openUntil === 0) return 0
      if (probingUntil > now) return probingUntil - now
      probingUntil = now + probeMs
      return 0
    },
    succeeded: () => {
      remember(true)
      inARow = 0
      openUntil = 0
      rests = 0
    },
    failed: () => {
      remember(false)
      inARow += 1
      if (inARow < failuresInARow && (outcomes.length < leastForRate || errorRate() < 0.5)) return false
      openUntil = clock.now() + Math.min(longestRestMs, firstRestMs * 2 ** rests)
      rests += 1
      return true
    },
  }
}
