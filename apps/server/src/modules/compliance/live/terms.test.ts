import { describe, expect, test } from 'vitest'
import { type AssessedControl, type LinkedEvidence, type SupportingCheck, termsOf } from './terms.ts'

const atMs = Date.parse('2026-11-27T12:00:00.000Z')
const day = (days: number) => new Date(atMs + days * 86_400_000).toISOString()
const control = (rest: Partial<AssessedControl> = {}): AssessedControl => ({
  ...{ weight: 1, applicable: true, result: 'not_assessed', result_share: null },
  ...rest,
})
type Outcome = NonNullable<SupportingCheck['state']>['outcome']
const check = (outcome: Outcome, rest: { part?: boolean; due?: number } = {}): SupportingCheck => ({
  part: rest.part ?? false,
  state: { ...{ id: 'x', outcome, run_at: day(-1), evidence_id: null }, due_at: day(rest.due ?? 1) },
})
const document: LinkedEvidence = {
  ...{ evidence_id: 'e', kind: 'document', title: 'Policy', part: false, reviewed: true },
  ...{ valid_from: day(-100), valid_until: day(100) },
}

describe('a control', () => {
  test.each<[string, AssessedControl, SupportingCheck[], LinkedEvidence[], string, number | null]>([
    ['that nobody looked at', control(), [], [], 'not_assessed', 0],
    ['with a check that never ran', control(), [{ part: false, state: null }], [], 'not_assessed', 0],
    ['with a fresh pass', control(), [check('pass')], [], 'satisfied', 1],
    ['with a fresh pass of a part', control(), [check('pass', { part: true })], [], 'partially_satisfied', 0.5 * 0.7],
    ['with a pass that is no longer fresh', control(), [check('pass', { due: -1 })], [], 'not_assessed', 0],
    ['with a pass and a failure', control(), [check('pass'), check('fail')], [], 'not_satisfied', 0],
    ['with an old failure', control(), [check('fail', { due: -9 })], [], 'not_satisfied', 0],
    ['with an error', control(), [check('error')], [], 'error', 0],
    ['with an empty population', control(), [check('not_evaluated')], [], 'not_assessed', 0],
    ['claimed without evidence', control({ result: 'satisfied' }), [], [], 'satisfied', 0.4],
    [
      'claimed with a reviewed document',
      control({ result: 'satisfied' }),
      [],
      [document],
      'satisfied',
      0.4 + 0.6 * 0.8,
    ],
    [
      'claimed against a failing check',
      control({ result: 'satisfied' }),
      [check('fail')],
      [document],
      'not_satisfied',
      0,
    ],
    [
      'that does not apply',
      control({ applicable: false, result: 'satisfied' }),
      [check('pass')],
      [],
      'not_applicable',
      null,
    ],
  ])('%s', (_what, assessed, checks, linked, result, score) => {
    const terms = termsOf(assessed, checks, linked, atMs)
    expect(terms.result).toBe(result)
    if (score === null) expect(terms.score).toBeNull()
    else expect(terms.score).toBeCloseTo(score, 10)
  })

  test.each<[string, LinkedEvidence[], string, boolean]>([
    ['none', [], 'missing', false],
    ['some for long', [document], 'current', true],
    ['some for a week', [{ ...document, valid_until: day(7) }], 'expiring', true],
    ['some that has expired', [{ ...document, valid_until: day(-7) }], 'expired', false],
  ])('with %s as evidence', (_what, linked, state, current) => {
    expect(termsOf(control(), [], linked, atMs)).toMatchObject({ state, current })
  })
})
