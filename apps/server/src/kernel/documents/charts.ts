/** Charts of a document: bars, and lines through points, with their text alternatives. Pure. Tested in modules/platform/reports/model/charts.test.ts. */

export interface Bar {
  readonly label: string
  readonly value: number
}

export interface BarChart {
  readonly form: 'bars'
  readonly title: string
  readonly bars: readonly Bar[]
}

/** `x` ascends; where `time` is set it is milliseconds since 1970. */
export interface LineChart {
  readonly form: 'line'
  readonly title: string
  readonly x: { readonly label: string; readonly time: boolean }
  readonly y: { readonly label: string }
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

export type Chart = BarChart | LineChart

/** Text in place of a chart: every value of bars; of a line its ends, its extremes and the number of its points. */
export function alternative(chart: Chart): string {
  if (chart.form === 'bars')
    return `${chart.title}: ${chart.bars.map(({ label, value }) => `${label} ${value}`).join(', ')}`
  const { title, x, y, points } = chart
  const told = ({ x: at, y: value }: { x: number; y: number }) => `${value} at ${abscissa(chart, at)}`
  const ordered = [...points].sort((a, b) => a.y - b.y)
  const [first, last, low, high] = [points[0], points.at(-1), ordered[0], ordered.at(-1)]
  if (first === undefined || last === undefined || low === undefined || high === undefined) return title
  return `${title}: ${y.label} by ${x.label} in ${points.length} points, from ${told(first)} to ${told(last)}, least ${told(low)}, most ${told(high)}`
}

/** A place on the axis as text: a day, or the number. */
export const abscissa = ({ x }: Pick<LineChart, 'x'>, value: number): string =>
  x.time ? new Date(value).toISOString().slice(0, 10) : String(value)
