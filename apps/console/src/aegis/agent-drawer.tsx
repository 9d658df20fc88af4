import type { Data } from '../api/client'
import { useOne } from '../api/hooks'
import { Badge } from '../ui/badge'
import { Detail, useId } from '../ui/detail'
import { Facts } from '../ui/field'
import { moment, points, words } from '../ui/format'
import { Panel } from '../ui/panel'
import { Empty, Loaded } from '../ui/states'
import { Table } from '../ui/table'
import { Ago } from '../ui/time'

type Agent = Data<'/aegis/agents/{agent_id}'>

export function AgentDrawer() {
  const id = useId()
  const agent = useOne('/aegis/agents/{agent_id}', { params: { agent_id: id } })
  return (
    <Detail title={agent.data?.data.name ?? 'Agent'} here="/aegis/agents">
      <Loaded query={agent} lines={8}>
        {({ data }) => <AgentParts agent={data} />}
      </Loaded>
    </Detail>
  )
}

function AgentParts({ agent }: { readonly agent: Agent }) {
  const { observed = [] } = agent
  return (
    <>
      <div className="row">
        <Badge value={agent.status} />
        {agent.has_drift ? <Badge value="flagged" label="Undeclared use" /> : null}
        <span className="soft">{agent.purpose}</span>
      </div>
      <Panel title="Declaration">
        <Facts
          rows={[
            ['Risk', `${points(agent.risk_score)} of 100, tier ${agent.risk_tier}`],
            ['Models', agent.models.map(({ provider, model }) => `${provider}/${model}`).join(', ')],
            [
              'Tools',
              agent.tools
                .map(({ tool, server_slug, capability }) => `${server_slug}/${tool} (${words(capability)})`)
                .join(', '),
            ],
            ['Destinations', agent.destinations.join(', ')],
            ['Data', agent.data_classes.map(words).join(', ')],
            ['Autonomy', `${agent.autonomy_level} of 5`],
            ['Untrusted input', agent.untrusted_input ? 'Yes' : 'No'],
            ['Next review', agent.next_review_at === null ? '–' : moment(agent.next_review_at)],
          ]}
        />
      </Panel>
      <Panel title="Seen in traffic" flush>
        {observed.length === 0 ? (
          <Empty title="Not seen yet" icon="aegis" />
        ) : (
          <Table
            label="Seen in traffic"
            rows={observed}
            keyOf={({ kind, name }) => `${kind} ${name}`}
            columns={[
              { name: 'Kind', show: ({ kind }) => words(kind) },
              { name: 'Name', show: ({ name }) => <code>{name}</code> },
              { name: 'Calls', right: true, show: ({ calls }) => calls },
              { name: 'Last', show: ({ last_seen_at }) => <Ago at={last_seen_at} /> },
              {
                name: 'Declared',
                show: ({ declared }) => (
                  <Badge value={declared ? 'approved' : 'flagged'} label={declared ? 'Yes' : 'No'} />
                ),
              },
            ]}
          />
        )}
      </Panel>
    </>
  )
}
