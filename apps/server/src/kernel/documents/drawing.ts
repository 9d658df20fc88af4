/** A chart as shapes with places and sizes, which every format that draws takes alike. Pure. Tested in modules/platform/reports/model/charts.test.ts. */
import { abscissa, type BarChart, type Chart, type LineChart } from './charts.ts'

/** Units from the upper left corner; the base line of a text begins (or ends, or is centered) at its place. */
export type Shape =
  | { readonly form: 'bar'; readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  | { readonly form: 'path'; readonly tone: 'line' | 'axis'; readonly points: readonly (readonly [number, number])[] }
  | { readonly form: 'text'; readonly x: number; readonly y: number; readonly anchor: Anchor; readonly text: string }

export type Anchor = 'start' | 'middle' | 'end'

export interface Drawing {
  readonly width: number
  readonly height: number
  readonly shapes: readonly Shape[]
}

export const drawingOf = (chart: Chart): Drawing => (chart.form === 'bars' ? drawnBars(chart) : drawnLine(chart))

const width = 500
const rowHeight = 22
const labelWidth = 170
const valueWidth = 60

const round = (value: number): number => Math.round(value * 100) / 100

function drawnBars({ bars }: BarChart): Drawing {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const longest = width - labelWidth - valueWidth
  const shapes = bars.flatMap(({ label, value }, index): readonly Shape[] => {
    const y = index * rowHeight
    const length = round((Math.max(0, value) / most) * longest)
    return [
      { form: 'text', x: 0, y: y + 15, anchor: 'start', text: label },
      { form: 'bar', x: labelWidth, y: y + 3, width: length, height: rowHeight - 6 },
      { form: 'text', x: labelWidth + length + 5, y: y + 15, anchor: 'start', text: String(value) },
    ]
  })
  return { width, height: bars.length * rowHeight, shapes }
}

const plot = { left: 60, right: width - 20, top: 10, bottom: 150 }
const lineHeight = 180

/** The vertical axis begins at 0, so that no change looks larger than it is. */
function drawnLine(chart: LineChart): Drawing {
  const { points, y: axis } = chart
  const [from, to] = [points[0]?.x ?? 0, points.at(-1)?.x ?? 1]
  const most = Math.max(...points.map(({ y }) => y)) || 1
  const across = (x: number) => round(plot.left + ((x - from) / (to - from || 1)) * (plot.right - plot.left))
  const up = (y: number) => round(plot.bottom - (Math.max(0, y) / most) * (plot.bottom - plot.top))
  const ticks = [0, most / 2, most].map(
    (value): Shape => ({ form: 'text', x: plot.left - 5, y: up(value) + 4, anchor: 'end', text: String(round(value)) }),
  )
  return {
    width,
    height: lineHeight,
    shapes: [
      {
        form: 'path',
        tone: 'axis',
        points: [
          [plot.left, plot.top],
          [plot.left, plot.bottom],
          [plot.right, plot.bottom],
        ],
      },
      { form: 'path', tone: 'line', points: points.map(({ x, y }) => [across(x), up(y)] as const) },
      ...ticks,
      { form: 'text', x: plot.left, y: plot.bottom + 16, anchor: 'start', text: abscissa(chart, from) },
      { form: 'text', x: plot.right, y: plot.bottom + 16, anchor: 'end', text: abscissa(chart, to) },
      {
        form: 'text',
        x: (plot.left + plot.right) / 2,
        y: plot.bottom + 16,
        anchor: 'middle',
        text: `${axis.label} by ${chart.x.label}`,
      },
    ],
  }
}
