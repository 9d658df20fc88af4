/**
 * Findings of rules in a call, without the matched text. The shown rows are few, every kind of finding keeps at least
 * one row among them, and decisions based on findings have all of them. Tested in findings.test.ts.
 */

import type { Writes } from '../call/writes.ts'
import type { StepName } from '../pipeline/progress/step-names.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import type { Violation } from '../schemas/chat-schema.ts'
import type { FoundKind } from '../schemas/request.ts'
import type { Found, WithFindings } from './call-findings.ts'
import { mostViolations } from './most-violations.ts'

export interface Note {
  readonly rule: string
  readonly step: StepName
  readonly category: string
  readonly action: Violation['action']
  readonly count?: number
  /** JSON Pointer; the whole body when absent. */
  readonly location?: string
  /** Default: the severity of the action. */
  readonly severity?: Violation['severity']
  /** Number of notes; 1 when absent. */
  readonly times?: number
  /** True if no mode of the policy lifts a block. */
  readonly isBinding?: true
}

export function note(state: WithPlan & WithFindings, noted: Note): void {
  const { step, times = 1 } = noted
  const isLifted = noted.isBinding !== true && state.plan.policy.effective.mode !== 'enforce'
  const monitored = noted.action === 'block' && isLifted
  const violation: Violation = {
    rule_id: noted.rule.slice(0, 128),
    step,
    category: noted.category.slice(0, 64),
    action: monitored ? 'would_block' : noted.action,
    severity: noted.severity ?? severities[noted.action],
    count: noted.count ?? 1,
    location: (noted.location ?? '').slice(0, 256),
  }
  const isNew = tally(state.findings.found, violation, { step, times })
  const {
    findings: { violations: shown },
  } = state
  const room = Math.min(times, mostViolations - shown.length)
  for (let n = 0; n < room; n += 1) shown.push(violation)
  if (room === 0 && isNew && makeRoom(shown)) shown.push(violation)
}

/** Returns whether it is the first of its kind. */
function tally(
  found: Map<string, Found>,
  violation: Violation,
  { step, times }: Required<Pick<Note, 'step' | 'times'>>,
): boolean {
  const { rule_id: rule, category, action, count } = violation
  const key = kindOf(violation)
  const known = found.get(key)
  const [notes, places] = [(known?.notes ?? 0) + times, (known?.count ?? 0) + count * times]
  found.set(key, { rule, step, category, action, notes, count: places })
  return known === undefined
}

type Kind = Pick<Violation, 'rule_id' | 'step' | 'category' | 'action'>

const kindOf = ({ rule_id: rule, step, category, action }: Kind): string => `${step}\n${rule}\n${category}\n${action}`

/** Removes the last row whose kind has another row: readers of the log care which rules matched more than how often. */
function makeRoom(shown: Violation[]): boolean {
  const seen = new Set<string>()
  let last = -1
  for (const [at, violation] of shown.entries()) {
    const kind = kindOf(violation)
    if (seen.has(kind)) last = at
    seen.add(kind)
  }
  if (last >= 0) shown.splice(last, 1)
  return last >= 0
}

/**
 * Records the author of the text that led to the first block of a call, or to the first block that monitor mode let
 * through.
 */
export function blockedBy(state: WithFindings & Writes<WithFindings>, provenance: string | null): void {
  if (state.findings.monitored === null) state.write({ findings: { blockedAt: provenance } })
}

/** Records a step, or part of one, that failed and was skipped because the policy allows it. */
export function passOpen({ findings }: WithFindings, step: string): void {
  findings.failOpen.push(step)
}

export function countEntity({ findings: { entities } }: WithFindings, type: string, count: number): void {
  entities.set(type, (entities.get(type) ?? 0) + count)
}

export function matchPatterns({ findings: { patterns } }: WithFindings, names: readonly string[]): void {
  for (const name of names) patterns.add(name)
}

/** All findings of a step, shown or not. */
export function foundIn({ findings: { found } }: WithFindings, step: StepName): readonly Found[] {
  return [...found.values()].filter((one) => one.step === step)
}

/** Total number of notes, so that the notes added by a step can be counted. */
export function notesOf({ findings: { found } }: WithFindings): number {
  // Called before and after every step, and most calls have no findings.
  let sum = 0
  for (const { notes } of found.values()) sum += notes
  return sum
}

/** The rules that matched: one entry for every shown row, and one for each rule without a row. */
export function rulesFound({ findings: { found, violations } }: WithFindings): readonly string[] {
  const shown = violations.map(({ rule_id: rule }) => rule)
  const unshown = [...found.values()].map(({ rule }) => rule).filter((rule) => !shown.includes(rule))
  return [...shown, ...new Set(unshown)]
}

/** The kinds without a shown row; null, as nearly always, if there are none. */
export function unshownOf({ findings: { found, violations } }: WithFindings): FoundKind[] | null {
  // Every kind has a row as long as there are at most as many kinds as rows.
  if (found.size <= mostViolations) return null
  const shown = new Set(violations.map(kindOf))
  return [...found].flatMap(([key, { rule: rule_id, step, category, action, count }]) =>
    shown.has(key) ? [] : [{ rule_id, step, category, action, count }],
  )
}

interface Told {
  readonly security: { readonly policy_violations: readonly Kind[] }
  /** Result of `unshownOf`. */
  readonly unshown: readonly Kind[] | null
}

/** At least one row for each kind of finding of a call. */
export function everyKindOf({ security, unshown }: Told): readonly Kind[] {
  return [...security.policy_violations, ...(unshown ?? [])]
}

/** Number of places with a finding. */
export function placesFound({ findings: { found } }: WithFindings): number {
  return [...found.values()].reduce((sum, { count }) => sum + count, 0)
}

const severities: Readonly<Record<Violation['action'], Violation['severity']>> = {
  allow: 'low',
  flag: 'low',
  redact: 'medium',
  block: 'high',
  would_block: 'high',
}
