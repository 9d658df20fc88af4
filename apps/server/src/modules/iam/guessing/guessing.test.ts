import fc from 'fast-check'
import { expect, test } from 'vitest'
import { afterFailure, type GuardState, longestWaitMs, unguarded, waitAfter, waitLeft, windowMs } from './guessing.ts'

test.each([
  [1, 0],
  [4, 0],
  [5, 30_000],
  [6, 60_000],
  [7, 120_000],
  [8, 240_000],
  [9, 480_000],
  [10, 900_000],
  [99, 900_000],
])('C06 after %i failures in the window the wait is %i ms', (failures, wait) => {
  expect(waitAfter(failures)).toBe(wait)
})

test('C06 a failure leaves the window exactly when it is fifteen minutes old', () => {
  const four = [0, 1, 2, 3].reduce((state, at) => afterFailure(state, at), unguarded)
  expect(waitLeft(afterFailure(four, windowMs - 1), windowMs - 1)).toBe(30_000)
  expect(waitLeft(afterFailure(four, windowMs), windowMs)).toBe(0)
})

/** A guesser who tries again and again, some milliseconds after he may. */
const patience = fc.array(fc.integer({ min: 0, max: 120_000 }), { minLength: 1, maxLength: 60 })

function guesses(delays: readonly number[]): readonly number[] {
  let state: GuardState = unguarded
  let now = 0
  return delays.map((delay) => {
    now += waitLeft(state, now) + delay
    state = afterFailure(state, now)
    return now
  })
}

test('C06 whoever obeys the waits gets no more than ten tries in any fifteen minutes', () => {
  fc.assert(
    fc.property(patience, (delays) => {
      const times = guesses(delays)
      for (const start of times)
        expect(times.filter((at) => at >= start && at < start + windowMs).length).toBeLessThanOrEqual(10)
    }),
    { numRuns: 1000 },
  )
})

test('C06 a wait never shrinks because of another failure, and never exceeds its bound', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 80 }), (gaps) => {
      let state: GuardState = unguarded
      let now = 0
      for (const gap of gaps) {
        now += gap
        const next = afterFailure(state, now)
        expect(next.blockedUntil).toBeGreaterThanOrEqual(state.blockedUntil)
        expect(waitLeft(next, now)).toBeLessThanOrEqual(longestWaitMs)
        state = next
      }
    }),
    { numRuns: 1000 },
  )
})
