import { date, moment, points } from '../ui/format'
import { ChartPanel } from './chart-panel'
import { timeLine } from './geometry'

const box = { width: 520, height: 150 }
const left = 34

interface ScoreLineProps {
  readonly title: string
  readonly className?: string
  readonly values: readonly { readonly at: string; readonly value: number }[]
}

/** A score of 0 to 100 over time. */
export function ScoreLine({ title, className, values }: ScoreLineProps) {
  const [first, last] = [values[0], values.at(-1)]
  if (first === undefined || last === undefined) return null
  const says = `From ${points(first.value)} on ${moment(first.at)} to ${points(last.value)} on ${moment(last.at)}.`
  const line = timeLine(
    values.map(({ at, value }) => ({ at: Date.parse(at), value })),
    box,
    [0, 100],
  )
  return (
    <ChartPanel
      title={title}
      says={says}
      head={['Time', 'Score']}
      rows={values.map(({ at, value }) => [at, value])}
      {...(className === undefined ? {} : { className })}
    >
      <svg className="chart" viewBox={`0 0 ${box.width + left + 8} ${box.height + 26}`} role="img" aria-label={says}>
        {[0, 25, 50, 75, 100].map((tick) => {
          const y = box.height - (tick / 100) * box.height + 6
          return (
            <g key={tick}>
              <line className="grid-line" x1={left} x2={left + box.width} y1={y} y2={y} />
              <text x={left - 6} y={y + 4} textAnchor="end">
                {tick}
              </text>
            </g>
          )
        })}
        <path d={line} transform={`translate(${left} 6)`} fill="none" stroke="var(--accent)" strokeWidth="2" />
        <text x={left} y={box.height + 22}>
          {date(first.at)}
        </text>
        <text x={left + box.width} y={box.height + 22} textAnchor="end">
          {date(last.at)}
        </text>
      </svg>
    </ChartPanel>
  )
}
