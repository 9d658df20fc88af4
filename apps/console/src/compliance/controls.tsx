import { Badge } from '../ui/badge'
import { percent, words } from '../ui/format'
import { A } from '../ui/link'
import { ListPage } from '../ui/list-page'
import { Empty } from '../ui/states'
import { Ago } from '../ui/time'

const channels = ['compliance.']

export function ControlsPage() {
  return (
    <ListPage
      title="Controls"
      purpose="Controls of the adopted frameworks with their result, their evidence and the gap that is worth most."
      path="/compliance/controls"
      here="/compliance/controls"
      channels={channels}
      keyOf={({ id }) => id}
      query={{ sort: 'position' }}
      filters={[
        {
          name: 'implementation_status',
          label: 'Implementation',
          options: ['not_started', 'planned', 'partial', 'implemented', 'alternative', 'not_applicable'],
        },
        { name: 'q', label: 'Reference or title', text: true },
      ]}
      columns={[
        { name: 'Control', clip: true, show: ({ ref, title }) => `${ref} ${title}` },
        { name: 'Result', show: ({ result }) => <Badge value={result} /> },
        { name: 'Score', right: true, show: ({ score }) => (score === null ? '–' : percent(score)) },
        {
          name: 'Evidence',
          show: ({ evidence_state, evidence_count }) => (
            <Badge value={evidence_state} label={`${words(evidence_state)} (${evidence_count})`} />
          ),
        },
        { name: 'Implementation', show: ({ implementation_status }) => words(implementation_status) },
        { name: 'Priority of the gap', right: true, show: ({ priority }) => priority ?? '–' },
        { name: 'Due', show: ({ due_at }) => <Ago at={due_at} /> },
      ]}
      empty={
        <Empty title="No framework is adopted" icon="compliance">
          <p>
            Controls are those of adopted frameworks. <A href="/compliance/frameworks">See the frameworks</A>.
          </p>
        </Empty>
      }
    />
  )
}
