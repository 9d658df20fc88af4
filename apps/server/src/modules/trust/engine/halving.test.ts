import fc from 'fast-check'
import { expect, test } from 'vitest'
import { halvings } from './halving.ts'

test('whole halvings are exact', () => {
  expect([0, 1, 2, 3, 10].map(halvings)).toEqual([1, 0.5, 0.25, 0.125, 1 / 1024])
})

test('half a halving is one over the square root of two', () => {
  expect(halvings(0.5)).toBeCloseTo(Math.SQRT1_2, 15)
})

test('it agrees with the power function of the engine to fifteen digits', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 900, noNaN: true }), (x) => {
      expect(Math.abs(halvings(x) / 2 ** -x - 1)).toBeLessThan(2e-15 * (1 + x / 8))
    }),
  )
})

test('it reaches zero and stays there', () => {
  expect(halvings(2000)).toBe(0)
  expect(halvings(Number.POSITIVE_INFINITY)).toBe(0)
})
