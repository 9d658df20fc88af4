/** The figures as tables for a terminal. Tested in cli.test.ts. */
import type { EvaluationReport } from './evaluation.ts'
import type { AttackFigures, HarmlessFigures, InjectionReport } from './injection-report.ts'
import type { LatencyReport } from './latency.ts'
import type { CleanFigures, CountryFigures, SpanFigures, SpanReport } from './span-report.ts'

type Cell = string | number

/** A whole report, one table after the other. */
export function tablesOf({ pack, injection, pii, secrets, latency }: EvaluationReport): string {
  return [
    `Pack ${pack}`,
    ...(injection ? injectionTables(injection) : []),
    ...(pii ? spanTables('Personal data', pii) : []),
    ...(secrets ? spanTables('Secrets', secrets) : []),
    ...(latency ? [latencyTable(latency)] : []),
    '',
  ].join('\n\n')
}

const percent = (share: number | null): string => (share === null ? '-' : `${(100 * share).toFixed(1)} %`)
const three = (value: number | null): string => (value === null ? '-' : value.toFixed(3))

function table(title: string, head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows].map((row) => row.map(String))
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const text = lines.map((line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
  return [title, ...text].join('\n')
}

const named = <T>(total: T | undefined, groups: Readonly<Record<string, T>>): [string, T][] => [
  ...(total === undefined ? [] : [['all', total] satisfies [string, T]]),
  ...Object.entries(groups).map(([name, figures]): [string, T] => [name === '' ? '(not named)' : name, figures]),
]

function injectionTables(report: InjectionReport): string[] {
  const { flag, block } = report.thresholds
  const parts = [`Injection: flagged from ${flag}, blocked from ${block}; best F1 ${three(report.best_f1)}`]
  if (report.attacks.rows > 0) {
    parts.push(
      attackTable('Attacks by source', named(report.attacks, report.attacks_by_source), report.best_f1_by_source),
      attackTable('Attacks by kind', named(undefined, report.attacks_by_kind), {}),
    )
  }
  if (report.harmless.rows > 0) {
    parts.push(
      harmlessTable('Harmless rows by source', named(report.harmless, report.harmless_by_source)),
      harmlessTable('Harmless rows by kind', named(undefined, report.harmless_by_kind)),
    )
  }
  const hard = named(undefined, report.hard_negatives)
  return hard.length > 0 ? [...parts, harmlessTable('Hard negatives by source', hard)] : parts
}

function attackTable(
  title: string,
  rows: readonly [string, AttackFigures][],
  best: Readonly<Record<string, number>>,
): string {
  return table(
    title,
    ['', 'rows', 'AUC', 'recall at 1 %', 'at 0.1 %', 'flagged', 'blocked', 'best F1'],
    rows.map(([name, figures]) => [
      name,
      figures.rows,
      three(figures.auc),
      percent(figures.recall_at_1_percent),
      percent(figures.recall_at_01_percent),
      percent(figures.flagged),
      percent(figures.blocked),
      three(best[name] ?? null),
    ]),
  )
}

const harmlessTable = (title: string, rows: readonly [string, HarmlessFigures][]): string =>
  table(
    title,
    ['', 'rows', 'flagged', 'blocked', 'accuracy'],
    rows.map(([name, { rows: count, flagged, blocked, accuracy }]) => [
      name,
      count,
      percent(flagged),
      percent(blocked),
      percent(accuracy),
    ]),
  )

function spanTables(title: string, report: SpanReport): string[] {
  const countries = [...named(undefined, report.country_totals), ...named(undefined, report.countries)]
  return [
    spanTable(`${title}: ${report.rows} rows`, named(report.all, report.by_type)),
    ...(countries.length > 0 ? [countryTable(`${title} by country`, countries)] : []),
    cleanTable(`${title}: rows without any`, named(report.clean, report.clean_by_kind)),
  ]
}

const spanTable = (title: string, rows: readonly [string, SpanFigures][]): string =>
  table(
    title,
    ['', 'labels', 'findings', 'precision', 'recall', 'full recall', 'F1', 'F2'],
    rows.map(([name, { labels, findings, precision, recall, full_recall, f1, f2 }]) => [
      name,
      labels,
      findings,
      percent(precision),
      percent(recall),
      percent(full_recall),
      three(f1),
      three(f2),
    ]),
  )

const countryTable = (title: string, rows: readonly [string, CountryFigures][]): string =>
  table(
    title,
    ['', 'labels', 'recall', 'country right'],
    rows.map(([name, { labels, recall, country_right }]) => [name, labels, percent(recall), percent(country_right)]),
  )

const cleanTable = (title: string, rows: readonly [string, CleanFigures][]): string =>
  table(
    title,
    ['', 'rows', 'flagged'],
    rows.map(([name, { rows: count, flagged }]) => [name, count, percent(flagged)]),
  )

const latencyTable = (latency: LatencyReport): string =>
  table(
    'Latency in milliseconds',
    ['', 'characters', 'runs', 'p50', 'p99'],
    Object.entries(latency).flatMap(([name, sizes]) =>
      sizes.map(({ characters, runs, p50, p99 }) => [name, characters, runs, p50.toFixed(3), p99.toFixed(3)]),
    ),
  )
