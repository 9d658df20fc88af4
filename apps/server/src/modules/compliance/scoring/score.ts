/**
 * Scores of controls and frameworks, of plain numbers. Promises that an unassessed control counts as zero, that time never
 * raises a score, and that a better result or newer evidence never lowers one. Tested in score.test.ts.
 */
import type { EvidenceKind, Result } from './words.ts'

/** Share of a control's value that a claim without evidence is worth. */
export const claimShare = 0.4

/** Strength of evidence, 0 to 1; a reviewed document is stronger than one that nobody read. */
const strengths: Readonly<Record<EvidenceKind, number>> = {
  check_run: 1,
  system_export: 0.9,
  external_result: 0.85,
  document: 0.5,
  attestation: 0.4,
  link: 0.2,
}
const reviewedDocument = 0.8

export const strengthOf = (kind: EvidenceKind, reviewed: boolean): number =>
  kind === 'document' && reviewed ? reviewedDocument : strengths[kind]

const dayMs = 86_400_000
const longestGraceMs = 30 * dayMs
const graceShare = 0.25

export interface Validity {
  /** Unix milliseconds. */
  readonly fromMs: number
  /** Unix milliseconds. */
  readonly untilMs: number
}

/** 1 until the validity ends, then linear down to 0 over min(30 days, 25 % of the validity). */
export function freshness({ fromMs, untilMs }: Validity, atMs: number): number {
  if (atMs <= untilMs) return 1
  const grace = Math.min(longestGraceMs, graceShare * Math.max(0, untilMs - fromMs))
  return grace === 0 ? 0 : Math.max(0, 1 - (atMs - untilMs) / grace)
}

export interface EvidenceTerm {
  readonly strength: number
  readonly freshness: number
  /** 1 where the evidence supports all of the control, less where a part. */
  readonly relation: number
}

/** e: the best of strength × freshness × relation; 0 without evidence. */
export const evidenceValue = (terms: readonly EvidenceTerm[]): number =>
  terms.reduce((best, { strength, freshness: age, relation }) => Math.max(best, strength * age * relation), 0)

const defaultShare = 0.5

/**
 * v: 1 satisfied, the share where partially satisfied, else 0.
 * @param share of satisfied objectives, 0 to 1; default 0.5
 */
export function resultValue(result: Result, share: number | null = null): number {
  if (result === 'satisfied') return 1
  return result === 'partially_satisfied' ? (share ?? defaultShare) : 0
}

/** s = v · (α + (1 − α) · e). */
export const controlScore = (value: number, evidence: number): number =>
  value * (claimShare + (1 - claimShare) * evidence)

export interface ScoredControl {
  /** Criticality, 1 to 3. */
  readonly weight: number
  readonly result: Result
  readonly share: number | null
  readonly evidence: number
}

export interface FrameworkScore {
  /** 0 to 100; unassessed controls count as 0. Null where no control applies. */
  readonly score: number | null
  /** Unassessed controls counted as satisfied with full evidence. */
  readonly score_possible: number | null
  readonly score_assessed_only: number | null
  /** Assessed weight over applicable weight. */
  readonly coverage: number | null
  /** Σ w·v over Σ w, 0 to 100: the result alone, without evidence. */
  readonly effectiveness: number | null
  /** Share of weight whose evidence is inside its validity. */
  readonly evidence_current: number | null
  readonly controls: number
  readonly coefficients: { readonly alpha: number }
}

const isAssessed = (result: Result): boolean => result !== 'not_assessed'
const percent = (part: number, whole: number): number | null => (whole === 0 ? null : (100 * part) / whole)

/** @param current the share of `weight` with evidence inside its validity, per control: 0 or 1 */
export function frameworkScore(all: readonly (ScoredControl & { readonly current: boolean })[]): FrameworkScore {
  const controls = all.filter(({ result }) => result !== 'not_applicable')
  const sum = (of: (control: (typeof controls)[number]) => number) =>
    controls.reduce((total, one) => total + one.weight * of(one), 0)
  const scoreOf = (one: ScoredControl) => controlScore(resultValue(one.result, one.share), one.evidence)
  const whole = sum(() => 1)
  const known = sum(scoreOf)
  const assessed = sum(({ result }) => (isAssessed(result) ? 1 : 0))
  return {
    score: percent(known, whole),
    score_possible: percent(known + (whole - assessed), whole),
    score_assessed_only: percent(known, assessed),
    coverage: whole === 0 ? null : assessed / whole,
    effectiveness: percent(
      sum((one) => resultValue(one.result, one.share)),
      whole,
    ),
    evidence_current: whole === 0 ? null : sum(({ current }) => (current ? 1 : 0)) / whole,
    controls: controls.length,
    coefficients: { alpha: claimShare },
  }
}

/** Urgency of a gap: 1, rising to 2 as the nearest date comes within 30 days. */
function urgency(daysLeft: number | null): number {
  return daysLeft === null ? 1 : 1 + Math.min(1, Math.max(0, (30 - daysLeft) / 30))
}

export interface Gap {
  readonly weight: number
  readonly score: number
  /** Days to the nearest legal or planned date; null without one. */
  readonly daysLeft: number | null
  /** Other adopted controls that would rise with this one through mappings. */
  readonly leverage: number
}

const mostLeverage = 10

/** w · (1 − s) · u · (1 + 0.5 · λ), λ as a share of ten. */
export const gapPriority = ({ weight, score, daysLeft, leverage }: Gap): number =>
  weight * (1 - score) * urgency(daysLeft) * (1 + (0.5 * Math.min(mostLeverage, leverage)) / mostLeverage)
