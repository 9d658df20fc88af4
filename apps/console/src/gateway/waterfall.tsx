import { Badge } from '../ui/badge'
import { milliseconds, words } from '../ui/format'
import { type Step, type StepRow, stepRows } from './steps'

const width = 200

interface WaterfallProps {
  readonly steps: readonly Step[]
  readonly blockedStep: string | null
}

/** The 14 steps of a call, each with its time, its place in the whole and its verdict. */
export function Waterfall({ steps, blockedStep }: WaterfallProps) {
  return (
    <ol className="waterfall list-plain" aria-label="Steps of the call">
      {stepRows(steps).map((row) => (
        <StepLine key={row.n} row={row} after={blockedStep} />
      ))}
    </ol>
  )
}

function StepLine({ row, after }: { readonly row: StepRow; readonly after: string | null }) {
  return (
    <li className="step" data-decision={row.decision} data-ran={row.ran}>
      <span className="n">{row.n}</span>
      <span>{words(row.name)}</span>
      <svg viewBox={`0 0 ${width} 12`} preserveAspectRatio="none" aria-hidden="true">
        {row.ran ? (
          <rect x={row.from * width} y="1" width={Math.max(1.5, row.share * width)} height="10" rx="2" />
        ) : null}
      </svg>
      <span className="ms">{row.ran ? milliseconds(row.ms) : '–'}</span>
      <span>
        {row.ran ? <Badge value={row.failed ? 'failed' : row.decision} /> : <NotRun blocked={after !== null} />}
      </span>
    </li>
  )
}

const NotRun = ({ blocked }: { readonly blocked: boolean }) => (
  <span className="small">{blocked ? 'Not reached' : 'Not needed'}</span>
)
