import { describe, expect, test } from 'vitest'
import { qualitativeScore, quantitativeScore, ratingOf } from './score.ts'

describe('the qualitative score', () => {
  test.each([
    [1, 1, 2, 'very_low'],
    [1, 5, 12.5, 'low'],
    [2, 5, 50, 'moderate'],
    [3, 3, 50, 'moderate'],
    [3, 5, 87.5, 'high'],
    [5, 4, 87.5, 'high'],
    [4, 5, 98, 'very_high'],
    [5, 1, 2, 'very_low'],
  ])('of likelihood %i and impact %i is %d, %s', (likelihood, impact, score, rating) => {
    expect(qualitativeScore({ likelihood, impact })).toBe(score)
    expect(ratingOf(score)).toBe(rating)
  })

  test('never falls when likelihood or impact rises', () => {
    for (let one = 1; one <= 5; one += 1)
      for (let other = 1; other < 5; other += 1) {
        const scoreAt = (likelihood: number, impact: number) => qualitativeScore({ likelihood, impact })
        expect(scoreAt(one, other + 1)).toBeGreaterThanOrEqual(scoreAt(one, other))
        expect(scoreAt(other + 1, one)).toBeGreaterThanOrEqual(scoreAt(other, one))
      }
  })

  test('refuses values outside the scale', () => {
    expect(() => qualitativeScore({ likelihood: 0, impact: 3 })).toThrow(RangeError)
    expect(() => qualitativeScore({ likelihood: 3, impact: 6 })).toThrow(RangeError)
  })
})

describe('the quantitative score', () => {
  test('is 50 at the tolerance, 0 without loss and rises with the loss', () => {
    expect(quantitativeScore(500_000, 500_000)).toBe(50)
    expect(quantitativeScore(0, 500_000)).toBe(0)
    expect(quantitativeScore(502_302.6, 500_000)).toBe(50.11)
    expect(quantitativeScore(9_500_000, 500_000)).toBe(95)
  })

  test.each([
    [4, 'very_low'],
    [4.99, 'very_low'],
    [5, 'low'],
    [20.5, 'low'],
    [21, 'moderate'],
    [79.99, 'moderate'],
    [80, 'high'],
    [95, 'high'],
    [96, 'very_high'],
    [100, 'very_high'],
  ])('%d is rated %s', (score, rating) => {
    expect(ratingOf(score)).toBe(rating)
  })
})
