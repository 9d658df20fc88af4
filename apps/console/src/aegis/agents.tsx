import { Badge } from '../ui/badge'
import { points, words } from '../ui/format'
import { ListPage } from '../ui/list-page'
import { Empty } from '../ui/states'
import { Ago } from '../ui/time'

const channels = ['aegis.agent.']

export function AgentsPage() {
  return (
    <ListPage
      title="Agents"
      purpose="Registered agents, what they declared, and whether their traffic agrees."
      path="/aegis/agents"
      here="/aegis/agents"
      channels={channels}
      keyOf={({ id }) => id}
      query={{ sort: '-risk_score' }}
      filters={[
        {
          name: 'status',
          label: 'Status',
          options: ['draft', 'in_review', 'approved', 'active', 'quarantined', 'retired'],
        },
        { name: 'environment', label: 'Environment', options: ['dev', 'staging', 'prod'] },
        { name: 'drift', label: 'Drift', options: ['true', 'false'] },
        { name: 'q', label: 'Name', text: true },
      ]}
      columns={[
        { name: 'Agent', show: ({ name }) => name },
        { name: 'Status', show: ({ status }) => <Badge value={status} /> },
        { name: 'Risk', right: true, show: ({ risk_score }) => points(risk_score) },
        { name: 'Tier', right: true, show: ({ risk_tier }) => risk_tier },
        { name: 'Autonomy', right: true, show: ({ autonomy_level }) => autonomy_level },
        { name: 'Environment', show: ({ environment }) => words(environment) },
        {
          name: 'Drift',
          show: ({ has_drift }) => (has_drift ? <Badge value="flagged" label="Undeclared use" /> : 'None'),
        },
        { name: 'Last seen', show: ({ last_seen_at }) => <Ago at={last_seen_at} /> },
      ]}
      empty={
        <Empty title="No agents are registered" icon="aegis">
          <p>An agent is registered with its models, tools and data, and gets credentials once it is approved.</p>
        </Empty>
      }
    />
  )
}
