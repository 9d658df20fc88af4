import type { Data } from '../api/client'
import { useOne } from '../api/hooks'
import { Bar } from '../charts/bar'
import { ScoreLine } from '../charts/score-line'
import { percent, points, words } from '../ui/format'
import { Page, Panel } from '../ui/panel'
import { Empty, Loaded } from '../ui/states'

type Posture = Data<'/aegis/posture'>

export function PosturePage() {
  const posture = useOne('/aegis/posture')
  return (
    <Page title="Posture" purpose="How well agents are governed and guarded, with the parts of the score.">
      <Loaded query={posture} lines={7}>
        {({ data }) => <Parts posture={data} />}
      </Loaded>
    </Page>
  )
}

function Parts({ posture: { score, confidence, components, caps, history } }: { readonly posture: Posture }) {
  return (
    <div className="grid">
      <Panel title="Score" className="six">
        <div className="stack">
          <dl className="figures">
            <div className="figure">
              <dt>Posture</dt>
              <dd>{points(score)}</dd>
            </div>
            <div className="figure">
              <dt>Confidence</dt>
              <dd>{percent(confidence)}</dd>
            </div>
          </dl>
          {caps.map(({ reason, max }) => (
            <p key={reason} className="notice">{`${words(reason)}: the score cannot be above ${points(max)}.`}</p>
          ))}
          <div className="bars">
            {components.map(({ name, value, weight, has_data }) => (
              <Bar
                key={name}
                name={words(name)}
                value={value * 100}
                shown={has_data ? `${points(value * 100)} × ${weight}` : 'No data'}
              />
            ))}
          </div>
        </div>
      </Panel>
      {history.length < 2 ? (
        <Panel title="History" className="six">
          <Empty title="The line begins with the second score" icon="aegis" />
        </Panel>
      ) : (
        <ScoreLine title="History" className="six" values={history.map(({ at, score: value }) => ({ at, value }))} />
      )}
    </div>
  )
}
