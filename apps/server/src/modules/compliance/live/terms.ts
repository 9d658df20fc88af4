/**
 * Worth of controls at a moment: the result of their assessment, held against the checks that support them, and the
 * best of their evidence. A check that has failed says so before any assessment; one that has passed counts while it is
 * fresh. Pure; the rows are read by live-terms.ts. Tested in terms.test.ts.
 */
import type { CheckRow } from '../declared/check-schema.ts'
import {
  claimShare,
  controlScore,
  type EvidenceTerm,
  evidenceValue,
  freshness,
  resultValue,
  strengthOf,
} from '../scoring/score.ts'
import type { EvidenceKind, Result } from '../scoring/words.ts'

export interface LinkedEvidence {
  readonly evidence_id: string
  readonly kind: EvidenceKind
  readonly title: string
  readonly part: boolean
  readonly reviewed: boolean
  readonly valid_from: string
  readonly valid_until: string
}

export interface SupportingCheck {
  readonly part: boolean
  /** Null where it never ran. */
  readonly state: Pick<CheckRow, 'id' | 'outcome' | 'run_at' | 'due_at' | 'evidence_id'> | null
}

export interface AssessedControl {
  readonly weight: number
  readonly applicable: boolean
  readonly result: Result
  readonly result_share: number | null
}

export interface Terms {
  readonly result: Result
  readonly source: 'assessment' | 'check' | null
  readonly share: number | null
  readonly weight: number
  readonly evidence: number
  readonly value: number
  /** Null for what is not applicable. */
  readonly score: number | null
  readonly alpha: number
  /** Some evidence is inside its validity. */
  readonly current: boolean
  readonly state: 'missing' | 'expiring' | 'current' | 'expired'
  readonly count: number
}

/** Weight of evidence for a part of a control, relative to evidence for all of it. */
const partRelation = 0.5
const expiringMs = 30 * 86_400_000

/** @param atMs Unix milliseconds */
export function termsOf(
  control: AssessedControl,
  supporting: readonly SupportingCheck[],
  linked: readonly LinkedEvidence[],
  atMs: number,
): Terms {
  const fresh = supporting.filter(({ state }) => state !== null && Date.parse(state.due_at) >= atMs)
  const { result, source, share } = control.applicable
    ? resultOf(control, supporting, fresh)
    : { result: 'not_applicable' as const, source: 'assessment' as const, share: null }
  const evidence = evidenceValue([
    ...linked.map((one) => linkedTerm(one, atMs)),
    ...fresh.filter(({ state }) => state?.outcome === 'pass').map(({ part }) => checkTerm(part)),
  ])
  const untils = [
    ...linked.map(({ valid_until: until }) => Date.parse(until)),
    ...fresh.flatMap(({ state }) => (state?.outcome === 'pass' ? [Number.POSITIVE_INFINITY] : [])),
  ]
  const value = resultValue(result, share)
  return {
    ...{ result, source, share, weight: control.weight, evidence, value, alpha: claimShare },
    score: result === 'not_applicable' ? null : controlScore(value, evidence),
    current: untils.some((until) => until >= atMs),
    state: stateOf(untils, atMs),
    count: untils.length,
  }
}

function stateOf(untils: readonly number[], atMs: number): Terms['state'] {
  if (untils.length === 0) return 'missing'
  const newest = Math.max(...untils)
  if (newest < atMs) return 'expired'
  return newest - atMs <= expiringMs ? 'expiring' : 'current'
}

type Judged = Pick<Terms, 'result' | 'source' | 'share'>

function resultOf(
  { result, result_share: share }: AssessedControl,
  supporting: readonly SupportingCheck[],
  fresh: readonly SupportingCheck[],
): Judged {
  // A failure lasts until a run passes, however old it is.
  if (supporting.some(({ state }) => state?.outcome === 'fail'))
    return { result: 'not_satisfied', source: 'check', share: null }
  if (result !== 'not_assessed') return { result, source: 'assessment', share }
  const passed = fresh.filter(({ state }) => state?.outcome === 'pass')
  if (passed.length > 0)
    return passed.some(({ part }) => !part)
      ? { result: 'satisfied', source: 'check', share: null }
      : { result: 'partially_satisfied', source: 'check', share: null }
  if (fresh.some(({ state }) => state?.outcome === 'error')) return { result: 'error', source: 'check', share: null }
  return { result: 'not_assessed', source: null, share: null }
}

const checkTerm = (part: boolean): EvidenceTerm => ({
  strength: strengthOf('check_run', false),
  freshness: 1,
  relation: part ? partRelation : 1,
})

function linkedTerm(
  { kind, reviewed, part, valid_from: from, valid_until: until }: LinkedEvidence,
  atMs: number,
): EvidenceTerm {
  return {
    strength: strengthOf(kind, reviewed),
    freshness: freshness({ fromMs: Date.parse(from), untilMs: Date.parse(until) }, atMs),
    relation: part ? partRelation : 1,
  }
}
