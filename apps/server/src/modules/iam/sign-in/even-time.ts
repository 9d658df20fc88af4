/**
 * Delays an answer so that its timing does not reveal the work done: it is sent at the next multiple of a step since
 * the request. The read of an existing account takes a fifth of a millisecond and is then invisible in any number of
 * attempts. Tested in even-time.test.ts.
 */
import type { Clock } from '../../../kernel/base/clock.ts'

/**
 * Milliseconds, by the costs of today's hashes: more than a refusal takes on a machine that is not busy, with `strong` also
 * that of an account whose hash is still of the `standard` ones and which does the work of both. Nothing to a person.
 */
export const stepsMs = { standard: 50, strong: 500 } as const

/** Resolves at the next step after `startedMs`, to a fraction of a millisecond: timers alone keep the fraction they began with. */
export async function atNextStep(
  clock: Pick<Clock, 'monotonic' | 'after'>,
  { startedMs, stepMs }: { readonly startedMs: number; readonly stepMs: number },
): Promise<void> {
  const target = startedMs + stepMs * Math.ceil((clock.monotonic() - startedMs) / stepMs)
  const whole = Math.floor(target - clock.monotonic()) - 1
  if (whole > 0) await new Promise<void>((resolve) => void clock.after(whole, resolve))
  while (clock.monotonic() < target) await new Promise<void>((resolve) => void setImmediate(resolve))
}
