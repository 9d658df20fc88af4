/**
 * Counts how findings meet labeled spans. A label is found when a finding covers half of it, and fully found when one
 * covers all of it; a finding is right when half of it lies in a label. Tested in span-tally.test.ts.
 */
import type { LabeledSpan } from './rows.ts'

export interface SpanCounts {
  labels: number
  found: number
  fullyFound: number
  findings: number
  right: number
}

export interface CountryCounts {
  labels: number
  found: number
  countryRight: number
}

export interface CleanCounts {
  rows: number
  flagged: number
}

/** The parts of a finding that matter for counting. */
export interface FoundSpan {
  readonly start: number
  readonly end: number
  readonly type: string
  readonly country?: string
}

export interface SpanTally {
  readonly all: SpanCounts
  readonly byType: Map<string, SpanCounts>
  /** Labels that name a country, under `TYPE country`. */
  readonly byCountry: Map<string, CountryCounts>
  readonly clean: CleanCounts
  readonly cleanByKind: Map<string, CleanCounts>
}

export interface TallyRules {
  /** Whether a finding of another type counts for a label: a secret counts with any issuer. */
  readonly anyType: boolean
}

/** An empty tally. */
export function createSpanTally(): SpanTally {
  return {
    all: noSpans(),
    byType: new Map(),
    byCountry: new Map(),
    clean: { rows: 0, flagged: 0 },
    cleanByKind: new Map(),
  }
}

export interface JudgedRow {
  readonly kind: string
  readonly labels: readonly LabeledSpan[]
  readonly found: readonly FoundSpan[]
}

/** Adds one row. */
export function tallyRow(tally: SpanTally, row: JudgedRow, rules: TallyRules): void {
  const { kind, labels, found } = row
  if (labels.length === 0) {
    for (const counts of [tally.clean, entryOf(tally.cleanByKind, kind, () => ({ rows: 0, flagged: 0 }))]) {
      counts.rows += 1
      counts.flagged += Number(found.length > 0)
    }
  }
  for (const label of labels)
    tallyLabel(
      tally,
      label,
      found.filter(({ type }) => rules.anyType || type === label.type),
    )
  for (const finding of found) {
    const right = labels.some(
      (label) => (rules.anyType || label.type === finding.type) && 2 * overlap(label, finding) >= lengthOf(finding),
    )
    for (const counts of [tally.all, entryOf(tally.byType, finding.type, noSpans)]) {
      counts.findings += 1
      counts.right += Number(right)
    }
  }
}

function tallyLabel(tally: SpanTally, label: LabeledSpan, candidates: readonly FoundSpan[]): void {
  const best = candidates.reduce<FoundSpan | undefined>(
    (most, one) => (most === undefined || overlap(label, one) > overlap(label, most) ? one : most),
    undefined,
  )
  const covered = best === undefined ? 0 : overlap(label, best)
  const found = best !== undefined && 2 * covered >= lengthOf(label)
  for (const counts of [tally.all, entryOf(tally.byType, label.type, noSpans)]) {
    counts.labels += 1
    counts.found += Number(found)
    counts.fullyFound += Number(covered === lengthOf(label))
  }
  if (label.country === undefined) return
  const counts = entryOf(tally.byCountry, `${label.type} ${label.country}`, () => ({
    labels: 0,
    found: 0,
    countryRight: 0,
  }))
  counts.labels += 1
  counts.found += Number(found)
  counts.countryRight += Number(found && best.country === label.country)
}

const noSpans = (): SpanCounts => ({ labels: 0, found: 0, fullyFound: 0, findings: 0, right: 0 })

const lengthOf = ({ start, end }: { start: number; end: number }): number => end - start

type Place = { readonly start: number; readonly end: number }

const overlap = (a: Place, b: Place): number => Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start))

function entryOf<T>(map: Map<string, T>, key: string, make: () => T): T {
  const entry = map.get(key) ?? make()
  map.set(key, entry)
  return entry
}
