import fc from 'fast-check'
import { expect, test } from 'vitest'
import { divideHalfUp, isTenThousandths, toHundredths, toPoints, weightedMean } from './fixed-point.ts'

test('a half goes up', () => {
  expect(divideHalfUp(5, 10)).toBe(1)
  expect(divideHalfUp(49_999, 100_000)).toBe(0)
  expect(divideHalfUp(25, 10)).toBe(3)
})

test('division agrees with whole-number arithmetic of any length', () => {
  fc.assert(
    fc.property(fc.nat({ max: 1e15 }), fc.integer({ min: 1, max: 1e9 }), (numerator, denominator) => {
      const exact = (2n * BigInt(numerator) + BigInt(denominator)) / (2n * BigInt(denominator))
      expect(BigInt(divideHalfUp(numerator, denominator))).toBe(exact)
    }),
  )
})

test('every score of two decimals survives the way to hundredths and back', () => {
  for (let hundredths = 0; hundredths <= 10_000; hundredths++) {
    expect(toHundredths(toPoints(hundredths))).toBe(hundredths)
  }
})

test('a share is exact in ten-thousandths only with four decimals or fewer', () => {
  for (let k = 0; k <= 10_000; k++) expect(isTenThousandths(Number(`${k}e-4`))).toBe(true)
  expect(isTenThousandths(0.12345)).toBe(false)
  expect(isTenThousandths(Number.NaN)).toBe(false)
  expect(isTenThousandths(0.1 + 0.2)).toBe(false)
})

test('a mean without any weight is no number', () => {
  expect(weightedMean([])).toBeNull()
  expect(weightedMean([{ weight: 0, value: 9 }])).toBeNull()
})
