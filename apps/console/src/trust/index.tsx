import type { Data } from '../api/client'
import { useOne } from '../api/hooks'
import { Bar } from '../charts/bar'
import { ChartPanel } from '../charts/chart-panel'
import { Gauge } from '../charts/gauge'
import { ScoreLine } from '../charts/score-line'
import { isMissing } from '../home/missing'
import { pillars } from '../home/trust-panel'
import { Switch } from '../ui/field'
import { date, percent, points, words } from '../ui/format'
import { useFilters } from '../ui/link'
import { Page, Panel } from '../ui/panel'
import { Empty, Loaded } from '../ui/states'
import { Table } from '../ui/table'
import { PillarPanel } from './pillar-panel'

type Explanation = Data<'/trust/scores/explain'>
type Pillar = (typeof pillars)[number]

export function TrustPage() {
  const [values, set] = useFilters()
  const explained = useOne('/trust/scores/explain')
  const history = useOne('/trust/history', { query: { interval: 'raw', max_points: 300 } })
  const pillar = pillars.find((name) => name === values.pillar) ?? pillars[0]
  if (isMissing(explained.error) && explained.data === undefined)
    return (
      <Page title="Trust" purpose="One score of 0 to 100 from evidence of every module.">
        <Empty title="No score yet" icon="trust">
          <p>The first one is calculated within a minute of the first evidence.</p>
        </Empty>
      </Page>
    )
  return (
    <Page title="Trust" purpose="One score of 0 to 100 from evidence of every module, with the share of each signal.">
      <div className="grid">
        <Panel title="Score" className="four">
          <Loaded query={explained} lines={6}>
            {({ data }) => <Standing explanation={data} />}
          </Loaded>
        </Panel>
        {history.data === undefined || history.data.data.points.length < 2 ? (
          <Panel title="History" className="eight">
            <Loaded query={history}>
              {() => <Empty title="The line begins with the second score" icon="trust" />}
            </Loaded>
          </Panel>
        ) : (
          <ScoreLine
            title="History"
            className="eight"
            values={history.data.data.points.map(({ at, composite_score: value }) => ({ at, value }))}
          />
        )}
        <Loaded query={explained}>{({ data }) => <Shares explanation={data} />}</Loaded>
        <div className="stack">
          <div className="row">
            <Switch
              label="Pillar"
              value={pillar}
              options={pillars}
              onChange={(next: Pillar) => set({ pillar: next })}
            />
          </div>
          <PillarPanel pillar={pillar} />
        </div>
      </div>
    </Page>
  )
}

function Standing({ explanation }: { readonly explanation: Explanation }) {
  const { composite_score, grade, confidence, interval, forecast, provisional } = explanation
  return (
    <div className="stack">
      <Gauge score={composite_score} grade={grade} name="Trust score" />
      <p className="says">
        {`Between ${points(interval.low)} and ${points(interval.high)}, with ${percent(confidence)} confidence.`}
        {provisional ? ' Provisional: much evidence is missing.' : ''}
      </p>
      {forecast.slice(0, 2).map(({ at, grade: next, composite_score: value }) => (
        <p key={at} className="says">{`Without new evidence it falls to ${next} (${points(value)}) on ${date(at)}.`}</p>
      ))}
    </div>
  )
}

/** Contributions of signals and caps, which add up to the difference from the baseline. */
function Shares({ explanation }: { readonly explanation: Explanation }) {
  const { contributions, caps, baseline, sum_check: sum } = explanation
  const rows = [
    ...contributions.map(({ signal, pillar, phi }) => ({ name: words(signal), pillar, phi })),
    ...caps.map(({ cap, pillar, phi }) => ({ name: `Cap: ${words(cap)}`, pillar, phi })),
  ].sort((a, b) => Math.abs(b.phi) - Math.abs(a.phi))
  const largest = Math.max(...rows.map(({ phi }) => Math.abs(phi)), 1)
  return (
    <ChartPanel
      title="Shares of the score"
      says={`All shares add up to ${points(sum.total)}, the distance from the baseline of ${points(baseline.composite_score)}.`}
      head={['Signal or cap', 'Pillar', 'Points']}
      rows={rows.map(({ name, pillar, phi }) => [name, words(pillar), phi])}
    >
      <div className="bars wide">
        {rows.map(({ name, pillar, phi }) => (
          <Bar
            key={`${pillar} ${name}`}
            name={name}
            value={(Math.abs(phi) / largest) * 100}
            shown={`${phi > 0 ? '+' : ''}${points(phi)}`}
            tone={phi < 0 ? 'bad' : 'accent'}
          />
        ))}
      </div>
      {explanation.missing.length === 0 ? null : <Missing missing={explanation.missing} />}
    </ChartPanel>
  )
}

function Missing({ missing }: Pick<Explanation, 'missing'>) {
  return (
    <Table
      label="Missing evidence"
      rows={missing}
      keyOf={({ signal }) => signal}
      columns={[
        { name: 'Missing evidence', show: ({ signal }) => words(signal) },
        { name: 'Reason', show: ({ reason }) => (reason === 'expired' ? 'Expired' : 'Never seen') },
        { name: 'From', show: ({ source }) => words(source) },
        { name: 'Can move the score by', right: true, show: ({ span }) => points(span) },
      ]}
    />
  )
}
