import { expect, test } from 'vitest'
import { exposureScore, isOrdered } from './appetite.ts'

const appetite = { appetite: '100000', tolerance: '500000', capacity: '2000000', currency: 'USD' }

test.each([
  [0, 100],
  [100_000, 100],
  [300_000, 80],
  [500_000, 60],
  [1_250_000, 30],
  [2_000_000, 0],
  [9_000_000, 0],
])('an exposure of %d scores %d', (exposure, score) => {
  expect(exposureScore(exposure, appetite)).toBeCloseTo(score, 10)
})

test('the three amounts rise strictly', () => {
  expect(isOrdered(appetite)).toBe(true)
  expect(isOrdered({ ...appetite, tolerance: '100000.00' })).toBe(false)
  expect(isOrdered({ ...appetite, capacity: '499999.99' })).toBe(false)
})
