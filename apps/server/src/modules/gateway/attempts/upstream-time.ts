import type { WithFacts } from '../call/facts.ts'
import type { WithTimings } from '../call/timings.ts'
import type { WithAttempts } from './call-attempts.ts'

/** Times of the monotonic clock, in milliseconds. */
interface Passed {
  readonly nowMs: number
  /** Own time of the steps. */
  readonly ownMs: number
}

/** Milliseconds the providers of the call took. */
export function upstreamTime(call: WithFacts & WithAttempts & WithTimings, { nowMs, ownMs }: Passed): number {
  const { attempts, timings, facts } = call
  if (attempts.served === null || attempts.log.length === 0) return 0
  // A stream waits for its provider between its steps, so all time not spent here is the provider's.
  return timings.ttftMs === null ? timings.upstreamMs : rounded(nowMs - facts.startedMs) - ownMs
}

/** Milliseconds rounded to microseconds. */
export const rounded = (ms: number): number => Math.max(0, Math.round(ms * 1000) / 1000)

export function ownTime(steps: readonly { readonly ms: number }[]): number {
  return rounded(steps.reduce((sum, { ms }) => sum + ms, 0))
}
