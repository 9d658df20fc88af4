/** Charts of facts, made from the figures and tables of a section. Pure. Tested in charts.test.ts. */
import type { Bar, Chart } from '../../../../kernel/documents/charts.ts'
import type { DocumentTable, Figure } from '../../../../kernel/documents/document.ts'

/** Figures beside each other, rows counted by the values of a column, or points from two columns. */
type Plan =
  | { readonly title: string; readonly labels: readonly string[]; readonly under?: string }
  | { readonly title: string; readonly table: string; readonly count: string }
  | { readonly title: string; readonly table: string; readonly x: string; readonly y: string }

const plans: Readonly<Record<string, readonly Plan[]>> = {
  'trust.score': [
    {
      title: 'Pillars',
      under: 'Score pillars',
      labels: ['Security', 'Compliance', 'Risk', 'Resilience', 'Ai governance'],
    },
  ],
  'trust.history': [{ title: 'Trust score', table: 'Days', x: 'Calculated at', y: 'Score' }],
  'aegis.alerts': [
    {
      title: 'Open alerts by severity',
      labels: ['Open critical', 'Open high', 'Open medium', 'Open low', 'Open info'],
    },
  ],
  'risk.register': [{ title: 'Risks by rating', labels: ['Very high', 'High', 'Moderate', 'Low', 'Very low'] }],
  'risk.losses': [{ title: 'Loss exceedance', table: 'Curve', x: 'Loss', y: 'Probability' }],
  'compliance.checks': [{ title: 'Coverage of controls by checks', table: 'Checks', count: 'Outcome' }],
  'resilience.objectives': [{ title: 'Services by verdict', table: 'Services', count: 'Verdict' }],
  'resilience.experiments': [{ title: 'Experiments by status', table: 'Experiments', count: 'Status' }],
  'cybertwins.assets': [{ title: 'Assets', labels: ['Active', 'Stale', 'Entry points', 'Without owner'] }],
  'data_gov.assets': [{ title: 'Data assets', labels: ['Restricted', 'Confidential', 'Unconfirmed'] }],
  'data_gov.requests': [
    { title: 'Requests of data subjects', labels: ['Open', 'Overdue', 'Done in time', 'Done late'] },
  ],
}

export interface Charted {
  readonly figures: readonly Figure[]
  readonly tables: readonly DocumentTable[]
}

/** Charts of a fact; those with fewer than two values are left out. */
export function chartsOf(fact: string, { figures, tables }: Charted): readonly Chart[] {
  return (plans[fact] ?? []).flatMap((plan): readonly Chart[] => {
    if ('labels' in plan) return bars(plan.title, barsOf(plan, figures))
    const table = tables.find(({ title }) => title === plan.table)
    if (table === undefined) return []
    return 'count' in plan ? bars(plan.title, counted(table, plan.count)) : line(plan, table)
  })
}

const bars = (title: string, found: readonly Bar[]): readonly Chart[] =>
  found.length < 2 ? [] : [{ form: 'bars', title, bars: found }]

interface Named {
  readonly labels: readonly string[]
  readonly under?: string
}

function barsOf({ labels, under }: Named, figures: readonly Figure[]): readonly Bar[] {
  return labels.flatMap((label) => {
    const name = under === undefined ? label : `${under} ${label.toLowerCase()}`
    const found = figures.find((figure) => figure.label === name || figure.label === `${name} score`)
    return typeof found?.value === 'number' ? [{ label, value: found.value }] : []
  })
}

function counted({ columns, rows }: DocumentTable, name: string): readonly Bar[] {
  const column = columns.indexOf(name)
  const counts = new Map<string, number>()
  for (const row of rows) {
    const value = String(row[column] ?? 'none')
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts].map(([label, value]) => ({ label, value })).sort((a, b) => (a.label < b.label ? -1 : 1))
}

function line(
  { title, x, y }: { readonly title: string; readonly x: string; readonly y: string },
  { columns, rows }: DocumentTable,
): readonly Chart[] {
  const [at, up] = [columns.indexOf(x), columns.indexOf(y)]
  const time = rows.every((row) => typeof row[at] === 'string')
  const points = rows
    .map((row) => ({ x: time ? Date.parse(String(row[at])) : Number(row[at]), y: Number(row[up]) }))
    .filter((point) => Number.isFinite(point.x) && Number.isFinite(point.y))
    .sort((a, b) => a.x - b.x)
  return points.length < 2 ? [] : [{ form: 'line', title, x: { label: x, time }, y: { label: y }, points }]
}
