/**
 * Lets an answer go at a time that does not tell what it took to find: at the next multiple of a step since it was asked
 * for. What was read of an account that exists, a fifth of a millisecond, is then not seen by however many attempts.
 * Tested in even-time.test.ts.
 */
import type { Clock } from '../../../kernel/kernel.ts'

/** Milliseconds; more than a refusal takes on a machine that is not busy, and nothing to a person. */
export const stepMs = 50

/** Resolves at the next step after `startedMs`, to a fraction of a millisecond: timers alone keep the fraction they began with. */
export async function atNextStep(clock: Pick<Clock, 'monotonic' | 'after'>, startedMs: number): Promise<void> {
  const target = startedMs + stepMs * Math.ceil((clock.monotonic() - startedMs) / stepMs)
  const whole = Math.floor(target - clock.monotonic()) - 1
  if (whole > 0) await new Promise<void>((resolve) => void clock.after(whole, resolve))
  while (clock.monotonic() < target) await new Promise<void>((resolve) => void setImmediate(resolve))
}
