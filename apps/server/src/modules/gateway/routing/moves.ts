/** The move after a failed attempt. Pure. Tested in moves.test.ts. */
import { type FallbackCause, type FaultKind, faultRules } from '../providers/fault.ts'

/** Another key at once, the next target, the same again after a while, or nothing more. */
export type Move = 'again' | 'elsewhere' | 'wait' | 'stop'

export interface Situation {
  readonly fault: FaultKind
  readonly fallbackOn: readonly FallbackCause[]
  readonly hasOtherKey: boolean
  readonly hasOtherTarget: boolean
  /** Takes one of the remaining retries; called only when one would be made. */
  readonly takeRetry: () => boolean
}

export function nextMove({ fault, fallbackOn, hasOtherKey, hasOtherTarget, takeRetry }: Situation): Move {
  const { cause, retry } = faultRules[fault]
  const isKeysFault = fault === 'rate_limited' || fault === 'credential'
  if (isKeysFault && hasOtherKey) return 'again'
  if (hasOtherTarget && fallbackOn.includes(cause)) return 'elsewhere'
  return retry && takeRetry() ? 'wait' : 'stop'
}

export interface Backoff {
  readonly baseMs: number
  readonly capMs: number
}

/** The longest wish of a provider that is followed, in milliseconds. */
export const longestRetryAfterMs = 10_000

/** Full jitter: between zero and a bound that doubles with each attempt, or the delay requested by the provider. */
export function backoffMs(
  { baseMs, capMs }: Backoff,
  { attempt, retryAfterMs, fraction }: { attempt: number; retryAfterMs: number | null; fraction: number },
): number {
  if (retryAfterMs !== null) return Math.min(retryAfterMs, longestRetryAfterMs)
  return fraction * Math.min(capMs, baseMs * 2 ** attempt)
}
