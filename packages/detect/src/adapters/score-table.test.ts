import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createScoreTable, type ScorePoint } from './score-table.ts'

describe('score table', () => {
  test('is linear between its points and level outside', () => {
    const table = createScoreTable([
      [0.2, 0.1],
      [0.6, 0.5],
      [0.9, 0.9],
    ])
    // Half way from 0.2 to 0.6 is half way from 0.1 to 0.5; a third from 0.6 to 0.9 a third from 0.5 to 0.9.
    expect(table.scoreOf(0.4)).toBeCloseTo(0.3, 12)
    expect(table.scoreOf(0.7)).toBeCloseTo(0.5 + 0.4 / 3, 12)
    expect([0, 0.2, 0.9, 1].map(table.scoreOf)).toEqual([0.1, 0.1, 0.9, 0.9])
  })

  test('never falls and never leaves 0..1', () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true })
    const points = fc
      .uniqueArray(unit, { minLength: 2, maxLength: 12 })
      .chain((raws) => fc.tuple(fc.constant(raws), fc.array(unit, { minLength: raws.length, maxLength: raws.length })))
      .map(([raws, scores]): ScorePoint[] => {
        const rising = scores.toSorted((a, b) => a - b)
        return raws.toSorted((a, b) => a - b).map((raw, index) => [raw, rising[index] ?? 1])
      })
    fc.assert(
      fc.property(points, unit, unit, (given, one, other) => {
        const table = createScoreTable(given)
        const [low, high] = [table.scoreOf(Math.min(one, other)), table.scoreOf(Math.max(one, other))]
        expect(low).toBeLessThanOrEqual(high)
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(1)
      }),
    )
  })

  test.each<[string, ScorePoint[]]>([
    ['needs two points', [[0, 0]]],
    [
      'raw values that rise',
      [
        [0.5, 0],
        [0.5, 1],
      ],
    ],
    [
      'scores that never fall',
      [
        [0, 0.5],
        [1, 0.4],
      ],
    ],
    [
      'scores of 0 to 1',
      [
        [0, 0],
        [1, Number.NaN],
      ],
    ],
    [
      'scores of 0 to 1',
      [
        [0, 0],
        [2, 1],
      ],
    ],
  ])('refuses points that are none: %s', (why, points) => {
    expect(() => createScoreTable(points)).toThrow(why)
  })
})
