import { Badge } from '../ui/badge'
import { points, words } from '../ui/format'
import { A } from '../ui/link'
import { ListPage } from '../ui/list-page'
import { Empty } from '../ui/states'
import { Ago } from '../ui/time'

const channels = ['aegis.agent.anomaly']

export function AnomaliesPage() {
  return (
    <ListPage
      title="Anomalies"
      purpose="Hours in which an agent did other things than usual, or more of them."
      path="/aegis/anomalies"
      channels={channels}
      keyOf={({ id }) => id}
      filters={[
        { name: 'severity', label: 'Severity', options: ['critical', 'high', 'medium', 'low'] },
        { name: 'detector', label: 'Detector', options: ['level', 'drift', 'tool_mix', 'novelty', 'sequence'] },
      ]}
      columns={[
        { name: 'When', show: ({ window_start }) => <Ago at={window_start} /> },
        { name: 'Agent', show: ({ agent_id }) => <A href={`/aegis/agents/${agent_id}`}>Agent</A> },
        { name: 'Detector', show: ({ detector }) => words(detector) },
        { name: 'Feature', clip: true, show: ({ feature }) => feature },
        { name: 'Observed', right: true, show: ({ observed }) => points(observed) },
        { name: 'Expected', right: true, show: ({ expected }) => points(expected) },
        { name: 'Score', right: true, show: ({ score }) => points(score) },
        { name: 'Severity', show: ({ severity }) => <Badge value={severity} /> },
      ]}
      empty={<Empty title="No anomalies" />}
    />
  )
}
