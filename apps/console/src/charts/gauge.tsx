import { points } from '../ui/format'
import { gaugeArc } from './geometry'

const center = 95
const radius = 78

/** The score of 0 to 100 with its grade. */
export function Gauge({
  score,
  grade,
  name,
}: {
  readonly score: number
  readonly grade: string
  readonly name: string
}) {
  return (
    <svg
      className="chart gauge"
      viewBox="0 0 190 152"
      role="img"
      aria-label={`${name}: ${points(score)} of 100, grade ${grade}`}
    >
      <path className="track" d={gaugeArc(1, center, radius)} fill="none" strokeWidth="11" strokeLinecap="round" />
      <path
        className="value"
        d={gaugeArc(score / 100, center, radius)}
        fill="none"
        strokeWidth="11"
        strokeLinecap="round"
      />
      <text className="score" x={center} y="100" textAnchor="middle" data-testid="trust-score">
        {points(score)}
      </text>
      <text className="grade" x={center} y="124" textAnchor="middle">
        {`Grade ${grade}`}
      </text>
    </svg>
  )
}
