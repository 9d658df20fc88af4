import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLevelShift, median, medianAbsoluteDeviation, robustZ } from './robust-z.ts'
import { anscombe, arcsineRoot, arcsineRootDeviation } from './variance-stabilizing.ts'

test('median 2, MAD 1 and modified z of 9 = 4.7215 for {1,1,2,2,4,6,9} (published example)', () => {
  const sample = [1, 1, 2, 2, 4, 6, 9]
  expect([median(sample), medianAbsoluteDeviation(sample)]).toEqual([2, 1])
  expect(robustZ(9, sample)).toBeCloseTo(4.7215, 3)
})

test('the median of an even sample is the mean of its middle; an empty one has none', () => {
  expect(median([3, 1, 2, 10])).toBe(2.5)
  expect(() => median([])).toThrow(RangeError)
})

test('a constant history does not make its next value an outlier', () => {
  const quiet = Array.from({ length: 30 }, () => anscombe(0))
  expect(robustZ(anscombe(2), quiet)).toBeLessThan(3.5)
  expect(robustZ(anscombe(30), quiet)).toBeGreaterThan(6)
})

test('fires above 6 once, or above 3.5 twice in a row', () => {
  expect(isLevelShift(6.1, null)).toBe(true)
  expect(isLevelShift(6, 3)).toBe(false)
  expect(isLevelShift(3.6, 3.6)).toBe(true)
  expect(isLevelShift(3.6, 3.5)).toBe(false)
  expect(isLevelShift(-9, -9)).toBe(false)
})

test('robust z does not change with shift and scale of value and sample', () => {
  const values = fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(
      values,
      fc.integer({ min: -1_000, max: 1_000 }),
      fc.integer({ min: 1, max: 8 }),
      (sample, value, scale) => {
        const moved = sample.map((each) => each * scale + 7)
        expect(robustZ(value * scale + 7, moved, scale)).toBeCloseTo(robustZ(value, sample, 1), 9)
      },
    ),
  )
})

test('transforms stabilize and refuse values outside their range', () => {
  expect(anscombe(0)).toBeCloseTo(2 * Math.sqrt(0.375), 15)
  expect(arcsineRoot(0.5)).toBeCloseTo(Math.PI / 4, 15)
  expect(arcsineRootDeviation(25)).toBe(0.1)
  for (const bad of [-1, Number.NaN]) expect(() => anscombe(bad)).toThrow(RangeError)
  for (const bad of [-0.1, 1.1, Number.NaN]) expect(() => arcsineRoot(bad)).toThrow(RangeError)
  expect(() => arcsineRootDeviation(0)).toThrow(RangeError)
})
