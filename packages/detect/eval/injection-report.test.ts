import { expect, test } from 'vitest'
import { injectionReport, type ScoredRow } from './injection-report.ts'

const thresholds = { flag: 0.5, block: 0.9 }

const rows = (isAttack: boolean, source: string, scores: readonly number[], kind = 'ordinary'): ScoredRow[] =>
  scores.map((score) => ({ score, isAttack, kind, source }))

test('every source of attacks is measured against the harmless rows of all sources', () => {
  const report = injectionReport(
    [
      ...rows(true, 'a', [0.95, 0.6]),
      ...rows(true, 'b', [0.4]),
      ...rows(false, 'c', [0.1, 0.5]),
      ...rows(false, 'd', [0]),
    ],
    thresholds,
  )
  expect(report.attacks_by_source.a).toMatchObject({ rows: 2, auc: 1, flagged: 1, blocked: 0.5 })
  // 0.4 is above two of the three harmless scores.
  expect(report.attacks_by_source.b?.auc).toBeCloseTo(2 / 3, 12)
  expect(report.harmless).toMatchObject({ rows: 3, flagged: 1 / 3, blocked: 0 })
  expect(report.harmless.accuracy).toBeCloseTo(2 / 3, 12)
  expect(report.harmless_by_source.d).toEqual({ rows: 1, flagged: 0, blocked: 0, accuracy: 1 })
  // 3 hits of 4 rows from 0.4 on: 2 * 3 / (4 + 3).
  expect(report.best_f1).toBeCloseTo(6 / 7, 12)
  expect(report.best_f1_by_source).toEqual({})
})

test('hard negatives are told apart and have an accuracy', () => {
  const report = injectionReport(rows(false, 'notes', [0.2, 0.7], 'hard-negative'), thresholds)
  expect(report.hard_negatives).toEqual({ notes: { rows: 2, flagged: 0.5, blocked: 0, accuracy: 0.5 } })
  expect(report.attacks).toEqual({
    rows: 0,
    auc: null,
    recall_at_1_percent: null,
    recall_at_01_percent: null,
    flagged: 0,
    blocked: 0,
  })
})

test('a source with both labels has a best F1 of its own', () => {
  const report = injectionReport([...rows(true, 'a', [0.9, 0.3]), ...rows(false, 'a', [0.5])], thresholds)
  // Down to 0.3 two hits and one alarm: 2 * 2 / (3 + 2).
  expect(report.best_f1_by_source).toEqual({ a: 0.8 })
})
