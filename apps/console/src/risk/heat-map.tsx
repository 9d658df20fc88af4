import { useQueries, useQuery } from '@tanstack/react-query'
import { readOne, readPage } from '../api/client'
import { ChartPanel } from '../charts/chart-panel'
import { heatLevel } from '../charts/geometry'
import { cellsOf } from './cells'

/** Risks whose ratings are read; likelihood and impact stand in the details alone. */
const most = 60
const five = [1, 2, 3, 4, 5] as const

/** Risks by likelihood and impact, as they are now (residual, else inherent). */
export function HeatMap() {
  const register = useQuery({
    queryKey: ['/risk/register', 'heat'],
    queryFn: ({ signal }) => readPage('/risk/register', { signal, query: { sort: '-score', limit: most } }),
  })
  const risks = useQueries({
    queries: (register.data?.data ?? []).map(({ id }) => ({
      queryKey: ['/risk/register/{risk_id}', { risk_id: id }, {}],
      queryFn: () => readOne('/risk/register/{risk_id}', { params: { risk_id: id } }),
    })),
  })
  const known = risks.flatMap(({ data }) => (data === undefined ? [] : [data.data]))
  const cells = cellsOf(known)
  const placed = cells.reduce((sum, { references }) => sum + references.length, 0)
  if (placed === 0) return null
  return (
    <ChartPanel
      title="Heat map"
      says={`${placed} of ${known.length} risks have a likelihood and an impact.`}
      head={['Likelihood', 'Impact', 'Risks']}
      rows={cells.map(({ likelihood, impact, references }) => [likelihood, impact, references.join(' ')])}
    >
      <div className="heat" role="img" aria-label={`Heat map of ${placed} risks; the table lists them.`}>
        {[...five].reverse().map((likelihood) => (
          <HeatRow key={likelihood} likelihood={likelihood} cells={cells} />
        ))}
        <span className="axis-name">Likelihood ↑</span>
        {five.map((impact) => (
          <span key={impact} className="axis-name below">{`Impact ${impact}`}</span>
        ))}
      </div>
    </ChartPanel>
  )
}

function HeatRow({ likelihood, cells }: { readonly likelihood: number; readonly cells: ReturnType<typeof cellsOf> }) {
  return (
    <>
      <span className="axis-name">{likelihood}</span>
      {five.map((impact) => {
        const cell = cells.find((one) => one.likelihood === likelihood && one.impact === impact)
        return (
          <span
            key={impact}
            className="cell number"
            data-level={heatLevel(likelihood, impact)}
            title={cell?.references.join(', ')}
          >
            {cell?.references.length}
          </span>
        )
      })}
    </>
  )
}
