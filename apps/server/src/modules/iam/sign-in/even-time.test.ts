import { expect, test } from 'vitest'
import { atNextStep, stepsMs } from './even-time.ts'

const stepMs = stepsMs.standard

/** A clock whose timers keep the fraction of a millisecond they began with and which moves a little with each look. */
function clockAt(startMs: number) {
  let now = startMs
  return {
    now: () => now,
    monotonic: () => {
      now += 0.01
      return now
    },
    after: (ms: number, run: () => void) => {
      now += ms
      queueMicrotask(run)
      return { stop: () => {} }
    },
  }
}

test.each([0.3, 9.25, 9.47, 48.7, 49.6])('what took %s ms goes with the first step', async (tookMs) => {
  const clock = clockAt(1_000.37 + tookMs)
  await atNextStep(clock, { startedMs: 1_000.37, stepMs })
  expect(clock.now() - 1_000.37 - stepMs).toBeGreaterThanOrEqual(0)
  expect(clock.now() - 1_000.37 - stepMs).toBeLessThan(0.1)
})

test('what took longer goes with a later one', async () => {
  const clock = clockAt(1_000 + 2 * stepMs + 7)
  await atNextStep(clock, { startedMs: 1_000, stepMs })
  expect(clock.now() - 1_000 - 3 * stepMs).toBeLessThan(0.1)
})
