import type { Data } from '../api/client'
import { useOne } from '../api/hooks'
import { Badge } from '../ui/badge'
import { Detail, useId } from '../ui/detail'
import { Facts } from '../ui/field'
import { date, money, points, words } from '../ui/format'
import { Panel } from '../ui/panel'
import { Empty, Loaded } from '../ui/states'
import { Table } from '../ui/table'
import { LossCurve } from './loss-curve'

export type Risk = Data<'/risk/register/{risk_id}'>

export function RiskDrawer() {
  const id = useId()
  const risk = useOne('/risk/register/{risk_id}', {
    params: { risk_id: id },
    query: { include: 'analyses,history' },
  })
  const title = risk.data === undefined ? 'Risk' : `${risk.data.data.reference} ${risk.data.data.title}`
  return (
    <Detail title={title} here="/risk/register">
      <Loaded query={risk} lines={8}>
        {({ data }) => <RiskParts risk={data} />}
      </Loaded>
    </Detail>
  )
}

function RiskParts({ risk }: { readonly risk: Risk }) {
  const { analyses = [], history = [] } = risk
  const current = analyses.find(({ current: now, status }) => now && status === 'completed') ?? analyses[0]
  return (
    <>
      <div className="row">
        <Badge value={risk.rating} />
        <Badge value={risk.status} />
        {risk.above_tolerance ? <Badge value="failed" label="Above tolerance" /> : null}
      </div>
      {current === undefined ? (
        <Panel title="Loss exceedance">
          <Empty title="No analysis yet" icon="risk">
            <p>A FAIR analysis gives the probability that a year’s loss is above any amount.</p>
          </Empty>
        </Panel>
      ) : (
        <LossCurve analysisId={current.id} tolerance={toleranceOf(risk)} />
      )}
      <Panel title="Facts">
        <Facts rows={factsOf(risk)} />
      </Panel>
      <Panel title="Key risk indicators" flush>
        {risk.kris.length === 0 ? (
          <Empty title="None" icon="risk" />
        ) : (
          <Table
            label="Key risk indicators"
            rows={risk.kris}
            keyOf={({ id }) => id}
            columns={[
              { name: 'Indicator', show: ({ name }) => name },
              { name: 'Value', right: true, show: ({ value }) => value ?? '–' },
              { name: 'Amber', right: true, show: ({ amber }) => amber },
              { name: 'Red', right: true, show: ({ red }) => red },
              { name: 'State', show: ({ status }) => (status === null ? '–' : <Badge value={status} />) },
            ]}
          />
        )}
      </Panel>
      <Panel title="History of the score" flush>
        <Table
          label="History of the score"
          rows={history}
          keyOf={({ created_at, level }) => `${created_at} ${level}`}
          columns={[
            { name: 'Time', show: ({ created_at }) => date(created_at) },
            { name: 'Level', show: ({ level }) => words(level) },
            {
              name: 'Score',
              right: true,
              show: ({ previous_score, score }) =>
                `${previous_score === null ? '–' : points(previous_score)} → ${points(score)}`,
            },
            { name: 'Cause', show: ({ cause }) => words(cause) },
          ]}
        />
      </Panel>
    </>
  )
}

const toleranceOf = ({ effective_appetite: appetite }: Risk): number | null =>
  appetite === null ? null : Number(appetite.tolerance)

function factsOf(risk: Risk): readonly (readonly [string, React.ReactNode])[] {
  const level = (one: Risk['residual']): string =>
    one === null
      ? '–'
      : `${one.rating === null ? 'not rated' : words(one.rating)}${one.ale_mean === null ? '' : `, ${money(one.ale_mean, one.currency)} a year on average`}`
  return [
    ['Description', risk.description],
    ['Inherent', level(risk.inherent)],
    ['Residual', level(risk.residual)],
    ['Target', level(risk.target)],
    ['Treatment', risk.treatment === null ? '–' : words(risk.treatment.strategy)],
    [
      'Open actions',
      risk.treatment === null ? '–' : String(risk.treatment.actions.filter(({ status }) => status === 'open').length),
    ],
    ['Next review', date(risk.review_due_at)],
  ]
}
