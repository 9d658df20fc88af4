import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brierScore, calibrateIntervals, logScore } from './calibration.ts'
import { wilsonInterval } from './wilson.ts'

test.each([
  [285, 300, 0.9192, 0.9695],
  [0, 300, 0, 0.0126],
  [5, 10, 0.2366, 0.7634],
])('Wilson interval of %d in %d', (successes, trials, lower, upper) => {
  const interval = wilsonInterval(successes, trials)
  expect(interval.low).toBeCloseTo(lower, 4)
  expect(interval.high).toBeCloseTo(upper, 4)
})

test('the interval contains the share, and is its own mirror image', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (trials, share) => {
      const successes = Math.round(share * trials)
      const { low, high } = wilsonInterval(successes, trials)
      expect(low).toBeLessThanOrEqual(successes / trials)
      expect(high).toBeGreaterThanOrEqual(successes / trials)
      expect(wilsonInterval(trials - successes, trials).low).toBeCloseTo(1 - high, 12)
    }),
  )
})

test('hit rate of intervals; below 70 % the estimator is overconfident', () => {
  const hit = { low: 0, high: 10, actual: 10 }
  const miss = { low: 0, high: 10, actual: 11 }
  const good = calibrateIntervals([...Array(9).fill(hit), miss])
  expect([good.hitRate, good.overconfident]).toEqual([0.9, false])
  const poor = calibrateIntervals([...Array(6).fill(hit), ...Array(4).fill(miss)])
  expect([poor.hits, poor.overconfident]).toEqual([6, true])
  expect(() => calibrateIntervals([])).toThrow(RangeError)
  expect(() => calibrateIntervals([{ low: 2, high: 1, actual: 1 }])).toThrow(RangeError)
})

test('Brier and log score by hand', () => {
  const estimates = [
    { probability: 0.8, occurred: true },
    { probability: 0.5, occurred: false },
  ]
  expect(brierScore(estimates)).toBeCloseTo((0.04 + 0.25) / 2, 15)
  expect(logScore(estimates)).toBeCloseTo((-Math.log2(0.8) + 1) / 2, 15)
  expect(logScore([{ probability: 0, occurred: true }])).toBe(Number.POSITIVE_INFINITY)
  expect(() => brierScore([{ probability: 1.2, occurred: true }])).toThrow(RangeError)
})

test('saying the true frequency has the best expected score (proper scoring rules)', () => {
  const probability = fc.integer({ min: 1, max: 99 }).map((percent) => percent / 100)
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99 }), probability, (events, said) => {
      const outcomes = (p: number) => Array.from({ length: 100 }, (_, i) => ({ probability: p, occurred: i < events }))
      expect(brierScore(outcomes(events / 100))).toBeLessThanOrEqual(brierScore(outcomes(said)) + 1e-12)
      expect(logScore(outcomes(events / 100))).toBeLessThanOrEqual(logScore(outcomes(said)) + 1e-12)
    }),
  )
})
