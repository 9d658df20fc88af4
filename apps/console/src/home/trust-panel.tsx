import type { Data } from '../api/client'
import { useOne } from '../api/hooks'
import { Bar } from '../charts/bar'
import { Gauge } from '../charts/gauge'
import { points, words } from '../ui/format'
import { A } from '../ui/link'
import { Panel } from '../ui/panel'
import { Empty, Loaded } from '../ui/states'
import { Ago } from '../ui/time'
import { isMissing } from './missing'

type Score = Data<'/trust/scores/current'>

export const pillars = ['security', 'compliance', 'risk', 'resilience', 'ai_governance'] as const

export function TrustPanel({ className }: { readonly className: string }) {
  const score = useOne('/trust/scores/current')
  return (
    <Panel title="Trust score" className={className} tools={<A href="/trust">How it is made</A>}>
      {isMissing(score.error) && score.data === undefined ? (
        <Empty title="No score yet" icon="trust">
          <p>The first one is calculated within a minute of the first evidence, such as a model call.</p>
        </Empty>
      ) : (
        <Loaded query={score} lines={6}>
          {({ data }) => <Standing score={data} />}
        </Loaded>
      )}
    </Panel>
  )
}

function Standing({ score }: { readonly score: Score }) {
  return (
    <div className="trust">
      <div className="gauge">
        <Gauge score={score.composite_score} grade={score.grade} name="Trust score" />
        <p className="small soft">
          Trend {score.trend} · scored <Ago at={score.last_recalculated_at} />
        </p>
      </div>
      <div className="bars">
        {pillars.map((pillar) => (
          <Bar
            key={pillar}
            name={words(pillar)}
            value={score.pillars[pillar].score}
            shown={points(score.pillars[pillar].score)}
            href={`/trust?pillar=${pillar}`}
          />
        ))}
      </div>
    </div>
  )
}
