/** Figures of span detectors from their counts. Shares are 0..1, or null where there is nothing to share. */
import type { CleanCounts, CountryCounts, SpanCounts, SpanTally } from './span-tally.ts'

export interface SpanFigures {
  readonly labels: number
  readonly findings: number
  /** Share of findings that are right. */
  readonly precision: number | null
  /** Share of labels of which a finding covers half. */
  readonly recall: number | null
  /** Share of labels that a finding covers whole. */
  readonly full_recall: number | null
  readonly f1: number | null
  readonly f2: number | null
}

export interface CountryFigures {
  readonly labels: number
  readonly recall: number | null
  /** Share of the found ones whose finding names the right country. */
  readonly country_right: number | null
}

export interface CleanFigures {
  readonly rows: number
  readonly flagged: number | null
}

export interface SpanReport {
  readonly rows: number
  readonly all: SpanFigures
  readonly by_type: Readonly<Record<string, SpanFigures>>
  readonly countries: Readonly<Record<string, CountryFigures>>
  /** The countries of one type together. */
  readonly country_totals: Readonly<Record<string, CountryFigures>>
  /** Rows without labels. */
  readonly clean: CleanFigures
  readonly clean_by_kind: Readonly<Record<string, CleanFigures>>
}

/** The figures of a tally. */
export function spanReport(tally: SpanTally, rows: number): SpanReport {
  return {
    rows,
    all: spanFigures(tally.all),
    by_type: sorted(tally.byType, spanFigures),
    countries: sorted(tally.byCountry, countryFigures),
    country_totals: sorted(countryTotals(tally), countryFigures),
    clean: cleanFigures(tally.clean),
    clean_by_kind: sorted(tally.cleanByKind, cleanFigures),
  }
}

/** F with recall weighing `beta` times precision (van Rijsbergen, 1979). */
export function fMeasure(precision: number, recall: number, beta: number): number {
  const weight = beta * beta
  return precision + recall === 0 ? 0 : ((1 + weight) * precision * recall) / (weight * precision + recall)
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

function spanFigures({ labels, found, fullyFound, findings, right }: SpanCounts): SpanFigures {
  const precision = share(right, findings)
  const recall = share(found, labels)
  // Where findings carry other names than the labels they meet, a type has recall but no precision of its own.
  const isUnknown = recall === null || (precision === null && recall > 0)
  const f = (beta: number): number | null => (isUnknown ? null : fMeasure(precision ?? 0, recall, beta))
  return { labels, findings, precision, recall, full_recall: share(fullyFound, labels), f1: f(1), f2: f(2) }
}

const countryFigures = ({ labels, found, countryRight }: CountryCounts): CountryFigures => ({
  labels,
  recall: share(found, labels),
  country_right: share(countryRight, found),
})

const cleanFigures = ({ rows, flagged }: CleanCounts): CleanFigures => ({ rows, flagged: share(flagged, rows) })

function countryTotals({ byCountry }: SpanTally): Map<string, CountryCounts> {
  const totals = new Map<string, CountryCounts>()
  for (const [key, { labels, found, countryRight }] of byCountry) {
    const type = key.slice(0, key.lastIndexOf(' '))
    const total = totals.get(type) ?? { labels: 0, found: 0, countryRight: 0 }
    total.labels += labels
    total.found += found
    total.countryRight += countryRight
    totals.set(type, total)
  }
  return totals
}

function sorted<Counts, Figures>(
  counts: ReadonlyMap<string, Counts>,
  figures: (counts: Counts) => Figures,
): Record<string, Figures> {
  const entries = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, value]) => [name, figures(value)]))
}
