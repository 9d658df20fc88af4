/**
 * Figures of the injection scorer. Every group of attacks is measured against all harmless rows, because one threshold
 * serves them all. Tested in injection-report.test.ts.
 */
import type { Thresholds } from '../src/injection/policy.ts'
import { areaUnderCurve, bestF1, recallAtRate, shareFrom } from './metrics.ts'

export interface ScoredRow {
  readonly score: number
  readonly isAttack: boolean
  readonly kind: string
  readonly source: string
}

export interface AttackFigures {
  readonly rows: number
  readonly auc: number | null
  /** Recall where 1 % of all harmless rows score higher. */
  readonly recall_at_1_percent: number | null
  readonly recall_at_01_percent: number | null
  /** Recall at the threshold. */
  readonly flagged: number
  readonly blocked: number
}

export interface HarmlessFigures {
  readonly rows: number
  readonly flagged: number
  readonly blocked: number
  /** Share left alone: the measure of over-defense sets. */
  readonly accuracy: number
}

export interface InjectionReport {
  readonly thresholds: Thresholds
  readonly attacks: AttackFigures
  readonly attacks_by_source: Readonly<Record<string, AttackFigures>>
  readonly attacks_by_kind: Readonly<Record<string, AttackFigures>>
  readonly harmless: HarmlessFigures
  readonly harmless_by_source: Readonly<Record<string, HarmlessFigures>>
  readonly harmless_by_kind: Readonly<Record<string, HarmlessFigures>>
  /** By source, of harmless rows whose kind is `hard-negative`. */
  readonly hard_negatives: Readonly<Record<string, HarmlessFigures>>
  /** Over all thresholds; null without rows of both labels. */
  readonly best_f1: number | null
  readonly best_f1_by_source: Readonly<Record<string, number>>
}

/** The figures of scored rows. */
export function injectionReport(rows: readonly ScoredRow[], thresholds: Thresholds): InjectionReport {
  const attacks = rows.filter(({ isAttack }) => isAttack)
  const harmless = rows.filter(({ isAttack }) => !isAttack)
  const against = scoresOf(harmless)
  const attackFigures = (group: readonly ScoredRow[]): AttackFigures => figuresOf(group, against, thresholds)
  const harmlessFigures = (group: readonly ScoredRow[]): HarmlessFigures => ({
    rows: group.length,
    ...sharesOf(scoresOf(group), thresholds),
    accuracy: 1 - shareFrom(scoresOf(group), thresholds.flag),
  })
  return {
    thresholds,
    attacks: attackFigures(attacks),
    attacks_by_source: grouped(attacks, 'source', attackFigures),
    attacks_by_kind: grouped(attacks, 'kind', attackFigures),
    harmless: harmlessFigures(harmless),
    harmless_by_source: grouped(harmless, 'source', harmlessFigures),
    harmless_by_kind: grouped(harmless, 'kind', harmlessFigures),
    hard_negatives: grouped(
      harmless.filter(({ kind }) => kind === 'hard-negative'),
      'source',
      harmlessFigures,
    ),
    best_f1: f1Of(rows),
    best_f1_by_source: bestBySource(rows),
  }
}

const scoresOf = (rows: readonly ScoredRow[]): number[] => rows.map(({ score }) => score)

const sharesOf = (scores: readonly number[], { flag, block }: Thresholds): { flagged: number; blocked: number } => ({
  flagged: shareFrom(scores, flag),
  blocked: shareFrom(scores, block),
})

function figuresOf(group: readonly ScoredRow[], against: readonly number[], thresholds: Thresholds): AttackFigures {
  const scores = scoresOf(group)
  const isMeasurable = scores.length > 0 && against.length > 0
  return {
    rows: scores.length,
    auc: isMeasurable ? areaUnderCurve(scores, against) : null,
    recall_at_1_percent: isMeasurable ? recallAtRate(scores, against, 0.01) : null,
    recall_at_01_percent: isMeasurable ? recallAtRate(scores, against, 0.001) : null,
    ...sharesOf(scores, thresholds),
  }
}

function f1Of(rows: readonly ScoredRow[]): number | null {
  const attacks = scoresOf(rows.filter(({ isAttack }) => isAttack))
  const harmless = scoresOf(rows.filter(({ isAttack }) => !isAttack))
  return attacks.length === 0 || harmless.length === 0 ? null : bestF1(attacks, harmless)
}

/** Of sources with both labels: a set is judged by its own harmless rows. */
function bestBySource(rows: readonly ScoredRow[]): Record<string, number> {
  const all = Object.entries(grouped(rows, 'source', f1Of))
  return Object.fromEntries(all.flatMap(([source, f1]) => (f1 === null ? [] : [[source, f1]])))
}

function grouped<Figures>(
  rows: readonly ScoredRow[],
  by: 'source' | 'kind',
  figures: (group: readonly ScoredRow[]) => Figures,
): Record<string, Figures> {
  const groups = new Map<string, ScoredRow[]>()
  for (const row of rows) {
    const group = groups.get(row[by])
    if (group === undefined) groups.set(row[by], [row])
    else group.push(row)
  }
  const entries = [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, group]) => [name, figures(group)]))
}
