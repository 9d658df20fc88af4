import { Badge } from '../ui/badge'
import { ListPage } from '../ui/list-page'
import { Empty } from '../ui/states'
import { Ago } from '../ui/time'
import { AgentName } from './agent-name'

const channels = ['aegis.approval.']

export function ApprovalsPage() {
  return (
    <ListPage
      title="Approvals"
      purpose="Tool calls of agents that wait for a person. An approval is good for one call with exactly these arguments."
      path="/aegis/approvals"
      here="/aegis/approvals"
      channels={channels}
      keyOf={({ id }) => id}
      filters={[
        {
          name: 'status',
          label: 'Status',
          options: ['pending', 'approved', 'denied', 'expired', 'cancelled', 'consumed'],
        },
        { name: 'approver', label: 'Approver', options: ['me'] },
        { name: 'q', label: 'Tool or server', text: true },
      ]}
      columns={[
        { name: 'Call', show: ({ server, tool }) => `${server}/${tool}` },
        { name: 'Status', show: ({ status }) => <Badge value={status} /> },
        { name: 'Agent', show: ({ agent_id }) => <AgentName id={agent_id} /> },
        { name: 'Arguments', clip: true, show: ({ args_preview }) => <code>{args_preview}</code> },
        { name: 'Tier', right: true, show: ({ risk_tier }) => risk_tier },
        {
          name: 'Decisions',
          right: true,
          show: ({ decisions, required_approvals }) => `${decisions.length} of ${required_approvals}`,
        },
        { name: 'Asked', show: ({ created_at }) => <Ago at={created_at} /> },
        { name: 'Decide by', show: ({ status, expires_at }) => (status === 'pending' ? <Ago at={expires_at} /> : '–') },
      ]}
      empty={
        <Empty title="No call waits for a person" icon="check">
          <p>A guardrail with the action “hold” keeps a tool call until people have decided about it.</p>
        </Empty>
      }
    />
  )
}
