import fc from 'fast-check'
import { expect, test } from 'vitest'
import { audiences, lengthBuckets, scoreAtRate, scoreOf } from './calibration.ts'
import { readShippedModel } from './shipped.ts'

const { calibration } = readShippedModel()
const lengths = [1, 500, 2_000, 10_000, 100_000]

test('a higher logit never gives a lower score, for every audience and length', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...audiences),
      fc.constantFrom(...lengths),
      fc.double({ min: -40, max: 40, noNaN: true }),
      fc.double({ min: 0, max: 10, noNaN: true }),
      (audience, characters, logit, more) => {
        const score = (at: number) => scoreOf(calibration, audience, { logit: at, characters })
        expect(score(logit + more)).toBeGreaterThanOrEqual(score(logit))
        expect(score(logit)).toBeGreaterThanOrEqual(0)
        expect(score(logit)).toBeLessThanOrEqual(1)
      },
    ),
    { numRuns: 2_000 },
  )
})

test('every length bucket has a table and every table rises through the rates', () => {
  for (const audience of audiences) {
    expect(calibration[audience]).toHaveLength(lengthBuckets.length)
    for (const table of calibration[audience]) {
      expect(table).toHaveLength(scoreAtRate.length)
      table.slice(1).forEach((knot, i) => {
        expect(knot).toBeGreaterThan(table[i] ?? 0)
      })
    }
  }
})

test('without any logit the score is zero', () => {
  expect(scoreOf(calibration, 'addressed', { logit: Number.NEGATIVE_INFINITY, characters: 0 })).toBeCloseTo(0, 12)
})
