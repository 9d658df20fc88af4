/**
 * How long guessing must wait. Pure arithmetic over the times of failures: no table, no clock. Where the times are kept
 * is guard.ts. Tested in guessing.test.ts.
 */

export const windowMs = 15 * 60_000
export const freeFailures = 4
export const firstWaitMs = 30_000
export const longestWaitMs = 15 * 60_000
/** Failures in a row, over any time, after which an account is locked (upper bound of NIST SP 800-63B-4, 3.2.2). */
export const lockAfter = 100
/** Longest list worth keeping: with the waits obeyed a window holds about ten. */
const keptFailures = 64

/** From the fifth failure in the window 30 s, doubled with each further one, 15 min at most. */
export function waitAfter(failures: number): number {
  if (failures <= freeFailures) return 0
  return Math.min(longestWaitMs, firstWaitMs * 2 ** (failures - freeFailures - 1))
}

export interface GuardState {
  /** Unix milliseconds, oldest first. */
  readonly failures: readonly number[]
  readonly blockedUntil: number
}

export const unguarded: GuardState = { failures: [], blockedUntil: 0 }

/** The state after one more failure. */
export function afterFailure(state: GuardState, now: number): GuardState {
  const failures = [...state.failures.filter((at) => now - at < windowMs), now].slice(-keptFailures)
  return { failures, blockedUntil: Math.max(state.blockedUntil, now + waitAfter(failures.length)) }
}

/** Milliseconds until the next try may be made; 0 when it may be made now. */
export function waitLeft(state: GuardState, now: number): number {
  return Math.max(0, state.blockedUntil - now)
}
