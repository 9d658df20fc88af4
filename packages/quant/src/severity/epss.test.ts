import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exploitationWithin } from './epss.ts'

test('thirty days give the probability itself, sixty 1 − (1 − p)²', () => {
  expect(exploitationWithin(0.2, 30)).toBeCloseTo(0.2, 14)
  expect(exploitationWithin(0.2, 60)).toBeCloseTo(0.36, 14)
  expect(exploitationWithin(0.2, 365)).toBeCloseTo(1 - 0.8 ** (365 / 30), 14)
  expect(exploitationWithin(1, 1)).toBe(1)
  expect(exploitationWithin(1, 0)).toBe(0)
  expect(exploitationWithin(0, 365)).toBe(0)
})

test('surviving two horizons is surviving both', () => {
  const days = fc.double({ min: 0, max: 3_650, noNaN: true })
  fc.assert(
    fc.property(fc.double({ min: 0, max: 0.99, noNaN: true }), days, days, (p, first, second) => {
      const kept = (1 - exploitationWithin(p, first)) * (1 - exploitationWithin(p, second))
      expect(1 - exploitationWithin(p, first + second)).toBeCloseTo(kept, 12)
    }),
  )
})

test('probabilities outside 0..1 and negative horizons are refused', () => {
  for (const [p, days] of [
    [-0.1, 30],
    [1.1, 30],
    [Number.NaN, 30],
    [0.5, -1],
    [0.5, Number.NaN],
  ] as const) {
    expect(() => exploitationWithin(p, days)).toThrow(RangeError)
  }
})
