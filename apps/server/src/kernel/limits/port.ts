/**
 * The limiter port. Promises that no key is ever granted more than `limit` units in any stretch of `windowMs`, and that
 * adapters decide alike for the same arrivals. Does not promise fairness between callers of one key, nor that a ring
 * grants everything an exact log would (about 2 % less under bursts). Tested by contract.ts on every adapter and by the
 * properties in algorithms.test.ts.
 */

export interface LimitRule {
  /** Units per window, 0..4,294,967,295. Up to 200 the window is exact, above it is counted in 61 slots. */
  readonly limit: number
  /** Length of the sliding window in milliseconds, 1 or more. */
  readonly windowMs: number
}

export interface LimitDecision {
  readonly allowed: boolean
  readonly limit: number
  /** Units that could still be taken right now. */
  readonly remaining: number
  /** When the whole budget is back if nothing more is taken: milliseconds of the limiter's clock (Unix epoch). */
  readonly resetAtMs: number
  /**
   * 0 when allowed, else the milliseconds after which the same cost fits if no other caller takes any. A cost above the
   * limit never fits; the wait is then one window.
   */
  readonly retryAfterMs: number
}

/** Keys carry the tenant in braces, `{tenant}:class`, so a cluster keeps a tenant's keys on one node. */
export interface Limiter {
  /** Takes `cost` units (default 1) if they all fit, else takes nothing. Throws RangeError on a rule or cost out of range. */
  take(key: string, rule: LimitRule, cost?: number): LimitDecision | Promise<LimitDecision>
  /** The decision `take` would give now, without taking. */
  peek(key: string, rule: LimitRule, cost?: number): LimitDecision | Promise<LimitDecision>
  close(): void | Promise<void>
}

/** Largest limit that is kept as an exact log; the log costs 8 bytes per unit, the ring 244 bytes whatever the limit. */
export const exactUpTo = 200

const largestUnits = 0xffff_ffff

/** Refuses rules and costs the counters cannot hold. Throws RangeError. */
export function checkTake(rule: LimitRule, cost: number): void {
  if (!isWholeNumber(rule.limit) || rule.limit > largestUnits) {
    throw new RangeError(`A limit is a whole number from 0 to ${largestUnits}, not ${rule.limit}.`)
  }
  if (!isWholeNumber(rule.windowMs) || rule.windowMs < 1) {
    throw new RangeError(`A window is a whole number of milliseconds from 1, not ${rule.windowMs}.`)
  }
  if (!isWholeNumber(cost)) throw new RangeError(`A cost is a whole number from 0, not ${cost}.`)
}

const isWholeNumber = (value: number): boolean => Number.isSafeInteger(value) && value >= 0
