import type { Data } from '../api/client'
import { useOne } from '../api/hooks'
import { ChartPanel } from '../charts/chart-panel'
import { exceedanceCurve } from '../charts/geometry'
import { compactMoney, money, percent } from '../ui/format'
import { Panel } from '../ui/panel'
import { Empty, Loaded } from '../ui/states'

type Analysis = Data<'/risk/fair/analyses/{analysis_id}'>

const box = { width: 600, height: 230 }
const left = 46
const top = 18

interface LossCurveProps {
  readonly analysisId: string
  /** In the currency of the analysis; null where there is none. */
  readonly tolerance: number | null
}

export function LossCurve({ analysisId, tolerance }: LossCurveProps) {
  const analysis = useOne('/risk/fair/analyses/{analysis_id}', {
    params: { analysis_id: analysisId },
    query: { include: 'lec' },
  })
  if (analysis.data === undefined)
    return (
      <Panel title="Loss exceedance">
        <Loaded query={analysis} lines={6}>
          {() => null}
        </Loaded>
      </Panel>
    )
  return <Drawn analysis={analysis.data.data} tolerance={tolerance} />
}

function pointsOf({ result }: Analysis) {
  return result?.monte_carlo?.lec ?? result?.exact?.lec ?? []
}

function Drawn({ analysis, tolerance }: { readonly analysis: Analysis; readonly tolerance: number | null }) {
  const points = pointsOf(analysis)
  const { currency, result } = analysis
  if (points.length === 0)
    return (
      <Panel title="Loss exceedance">
        <Empty title={`The analysis is ${analysis.status}`} icon="risk" />
      </Panel>
    )
  const mean = result?.exact?.mean ?? result?.monte_carlo?.mean ?? null
  const above = tolerance === null ? undefined : points.find(({ loss }) => loss >= tolerance)
  const says = [
    mean === null ? '' : `On average ${money(mean, currency)} a year.`,
    tolerance === null || above === undefined
      ? ''
      : `A year above the tolerance of ${money(tolerance, currency)} has a probability of about ${percent(above.probability)}.`,
  ].join(' ')
  return (
    <ChartPanel
      title="Loss exceedance"
      says={says}
      head={[`Loss (${currency})`, 'Probability']}
      rows={points.map(({ loss, probability }) => [loss, probability])}
    >
      <CurvePicture points={points} tolerance={tolerance} currency={currency} says={says} />
    </ChartPanel>
  )
}

interface PictureProps {
  readonly points: ReturnType<typeof pointsOf>
  readonly tolerance: number | null
  readonly currency: string
  readonly says: string
}

function CurvePicture({ points, tolerance, currency, says }: PictureProps) {
  const { line, band, x, y, lossTicks, probabilityTicks } = exceedanceCurve(
    points,
    box,
    tolerance === null ? [] : [tolerance],
  )
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${box.width + left + 10} ${box.height + top + 26}`}
      role="img"
      aria-label={says}
    >
      <g transform={`translate(${left} ${top})`}>
        {probabilityTicks.map((tick) => (
          <g key={tick}>
            <line className="grid-line" x1="0" x2={box.width} y1={y(tick)} y2={y(tick)} />
            <text x="-6" y={y(tick) + 4} textAnchor="end">
              {percent(tick)}
            </text>
          </g>
        ))}
        {lossTicks.map((tick) => (
          <text key={tick} x={x(tick)} y={box.height + 18} textAnchor="middle">
            {compactMoney(tick, currency)}
          </text>
        ))}
        <path d={band} fill="var(--accent)" opacity="0.16" />
        <path d={line} fill="none" stroke="var(--accent)" strokeWidth="2" />
        {tolerance === null || tolerance <= 0 ? null : (
          <>
            <line
              x1={x(tolerance)}
              x2={x(tolerance)}
              y1="0"
              y2={box.height}
              stroke="var(--blocked)"
              strokeWidth="1.5"
              strokeDasharray="5 4"
            />
            <text x={x(tolerance) - 5} y="-5" textAnchor="end">
              {`Tolerance ${compactMoney(tolerance, currency)}`}
            </text>
          </>
        )}
      </g>
    </svg>
  )
}
