import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { effectiveMaturity } from './maturity.ts'
import {
  controlScore,
  evidenceValue,
  frameworkScore,
  freshness,
  gapPriority,
  resultValue,
  strengthOf,
} from './score.ts'
import { type Result, results } from './words.ts'

const dayMs = 86_400_000
const one = (weight: number, result: Result, evidence: number, share: number | null = null) => ({
  ...{ weight, result, evidence, share, current: evidence > 0 },
})

test('the worked example: 60.57, possible 74.86, assessed only 70.67, coverage 0.857', () => {
  const reviewed = evidenceValue([{ strength: strengthOf('document', true), freshness: 1, relation: 1 }])
  const score = frameworkScore([
    one(3, 'satisfied', 1),
    one(2, 'satisfied', 0),
    one(1, 'partially_satisfied', reviewed, 0.5),
    one(1, 'not_assessed', 0),
  ])
  expect(score.score).toBeCloseTo(60.571, 2)
  expect(score.score_possible).toBeCloseTo(74.857, 2)
  expect(score.score_assessed_only).toBeCloseTo(70.667, 2)
  expect(score.coverage).toBeCloseTo(0.857, 3)
})

test('a thousand controls: all with checks are 100, all claimed without evidence are 40, none looked at are 0', () => {
  const all = (result: Result, evidence: number) =>
    frameworkScore(Array.from({ length: 1007 }, () => one(1, result, evidence)))
  expect(all('satisfied', 1).score).toBe(100)
  expect(all('satisfied', 0).score).toBeCloseTo(40, 10)
  expect(all('not_assessed', 1)).toMatchObject({ score: 0, score_possible: 100, coverage: 0 })
  expect(all('error', 1)).toMatchObject({ score: 0, score_possible: 0, coverage: 1 })
})

test('freshness falls over the grace and is never above 1', () => {
  const validity = { fromMs: 0, untilMs: 100 * dayMs }
  expect(freshness(validity, 50 * dayMs)).toBe(1)
  expect(freshness(validity, 112.5 * dayMs)).toBeCloseTo(0.5, 10)
  expect(freshness(validity, 126 * dayMs)).toBe(0)
  expect(freshness({ fromMs: 0, untilMs: 0 }, 1)).toBe(0)
})

const control = fc.record({
  weight: fc.integer({ min: 1, max: 3 }),
  result: fc.constantFrom(...results),
  share: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null }),
  evidence: fc.double({ min: 0, max: 1, noNaN: true }),
  current: fc.boolean(),
})

describe('properties', () => {
  test('0 ≤ score ≤ possible ≤ 100, and the order does not matter', () => {
    fc.assert(
      fc.property(fc.array(control, { minLength: 1, maxLength: 40 }), (controls) => {
        const { score, score_possible: possible } = frameworkScore(controls)
        if (score === null || possible === null) return
        expect(score).toBeGreaterThanOrEqual(0)
        expect(possible).toBeLessThanOrEqual(100 + 1e-9)
        expect(score).toBeLessThanOrEqual(possible + 1e-9)
        expect(frameworkScore([...controls].reverse()).score).toBeCloseTo(score, 9)
      }),
    )
  })

  test('not assessing a control never gives more than the worst assessment of it', () => {
    fc.assert(
      fc.property(fc.array(control, { minLength: 1, maxLength: 20 }), control, (others, chosen) => {
        if (chosen.result === 'not_applicable') return
        const looked = frameworkScore([...others, chosen]).score ?? 0
        const unseen = frameworkScore([...others, { ...chosen, result: 'not_assessed' as const }]).score ?? 0
        expect(unseen).toBeLessThanOrEqual(looked + 1e-9)
      }),
    )
  })

  test('time never raises a score', () => {
    const age = fc.integer({ min: 0, max: 1000 })
    fc.assert(
      fc.property(age, age, fc.integer({ min: 1, max: 400 }), (a, b, days) => {
        const validity = { fromMs: 0, untilMs: days * dayMs }
        const at = (day: number) => controlScore(1, freshness(validity, day * dayMs))
        expect(at(Math.max(a, b))).toBeLessThanOrEqual(at(Math.min(a, b)))
      }),
    )
  })
})

test('values of results', () => {
  expect(results.map((result) => resultValue(result))).toEqual([0, 1, 0.5, 0, 0, 0])
})

test('a gap is more urgent the nearer its date, the heavier and the more it moves', () => {
  const gap = { weight: 2, score: 0.25, daysLeft: null, leverage: 0 }
  expect(gapPriority(gap)).toBe(1.5)
  expect(gapPriority({ ...gap, daysLeft: 0 })).toBe(3)
  expect(gapPriority({ ...gap, daysLeft: 400 })).toBe(1.5)
  expect(gapPriority({ ...gap, leverage: 25 })).toBe(2.25)
})

test('a maturity level is held to its evidence', () => {
  expect(effectiveMaturity(5, ['check_run'])).toEqual({ effective: 5, reason: null })
  expect(effectiveMaturity(4, ['document'])).toMatchObject({ effective: 3 })
  expect(effectiveMaturity(3, [])).toMatchObject({ effective: 2 })
  expect(effectiveMaturity(2, [])).toEqual({ effective: 2, reason: null })
})
