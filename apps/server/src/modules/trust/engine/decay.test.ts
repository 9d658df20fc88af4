import fc from 'fast-check'
import { expect, test } from 'vitest'
import { curveOf, type DecayModel, freshness } from './decay.ts'

const MODELS: DecayModel[] = ['exponential', 'linear', 'step', 'none']

// 2^(-a/7) at 0, half, one and three half-lives, by hand.
test.each([
  [0, 1],
  [3.5, Math.SQRT1_2],
  [7, 0.5],
  [21, 0.125],
])('exponential with a half-life of 7 days is at %d days %d', (age, expected) => {
  expect(freshness(curveOf('exponential', 7), age)).toBeCloseTo(expected, 10)
})

test.each([
  [0, 1],
  [7, 0.5],
  [14, 0],
  [20, 0],
])('linear lasts two half-lives: at %d days %d', (age, expected) => {
  expect(freshness(curveOf('linear', 7), age)).toBe(expected)
})

test.each([
  [7, 1],
  [7.01, 0.5],
  [14, 0.5],
  [14.01, 0.25],
  [28, 0.25],
  [28.01, 0],
])('a step keeps its earlier factor on its very day: at %d days %d', (age, expected) => {
  expect(freshness(curveOf('step', 7), age)).toBe(expected)
})

test('without decay nothing ages', () => {
  expect(freshness(curveOf('none', 7), 1000)).toBe(1)
})

test('age counts only after the grace', () => {
  const curve = { ...curveOf('exponential', 7), graceDays: 3 }
  expect(freshness(curve, 3)).toBe(1)
  expect(freshness(curve, 10)).toBe(0.5)
})

test('a lifetime and steps of one’s own are followed', () => {
  expect(freshness({ ...curveOf('linear', 7), lifetimeDays: 100 }, 25)).toBe(0.75)
  const steps = [{ after_days: 2, factor: 0.9 }]
  expect(freshness({ ...curveOf('step', 7), steps }, 365)).toBe(0.9)
})

test('freshness lies in 0..1 and never rises with age, whatever the model', () => {
  const days = fc.double({ min: 0, max: 4000, noNaN: true })
  const halfLife = fc.double({ min: 0.25, max: 3650, noNaN: true })
  fc.assert(
    fc.property(fc.constantFrom(...MODELS), halfLife, days, days, (model, half, age, more) => {
      const younger = freshness(curveOf(model, half), age)
      const older = freshness(curveOf(model, half), age + more)
      expect(younger).toBeLessThanOrEqual(1)
      expect(older).toBeGreaterThanOrEqual(0)
      expect(older).toBeLessThanOrEqual(younger + 1e-15)
    }),
  )
})
