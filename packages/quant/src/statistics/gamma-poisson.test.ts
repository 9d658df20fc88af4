import { expect, test } from 'vitest'
import { summarizeRate, updateRate } from './gamma-poisson.ts'

test('the posterior has shape a + events and rate b + years', () => {
  expect(updateRate({ shape: 2, rate: 1 }, { events: 6, years: 3 })).toEqual({ shape: 8, rate: 4 })
})

test('mean, deviation and 90 % interval of an exponential belief (shape 1) are closed forms', () => {
  const { mean, deviation, interval, noEvent } = summarizeRate({ shape: 1, rate: 4 })
  expect([mean, deviation]).toEqual([0.25, 0.25])
  expect(interval.low).toBeCloseTo(-Math.log(0.95) / 4, 12)
  expect(interval.high).toBeCloseTo(-Math.log(0.05) / 4, 12)
  // E[e^−λ] of an exponential with rate 4 is 4/5.
  expect(noEvent).toBeCloseTo(0.8, 14)
})

test('90 % interval of shape 8, rate 4 (chi-square quantiles 7.9616 and 26.2962 of 16 degrees, over 8)', () => {
  const { interval } = summarizeRate({ shape: 8, rate: 4 })
  expect(interval.low).toBeCloseTo(7.9616 / 8, 4)
  expect(interval.high).toBeCloseTo(26.2962 / 8, 4)
})

test('updates in any order give the same belief, and bad input is refused', () => {
  const prior = { shape: 0.5, rate: 0.5 }
  const [a, b] = [
    { events: 3, years: 1 },
    { events: 0, years: 2 },
  ]
  expect(updateRate(updateRate(prior, a), b)).toEqual(updateRate(updateRate(prior, b), a))
  expect(() => updateRate({ shape: 0, rate: 1 }, a)).toThrow(RangeError)
  expect(() => updateRate(prior, { events: -1, years: 1 })).toThrow(RangeError)
  expect(() => updateRate(prior, { events: 1, years: Number.NaN })).toThrow(RangeError)
})
