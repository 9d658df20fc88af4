import { Badge } from '../ui/badge'
import { ListPage } from '../ui/list-page'
import { Empty } from '../ui/states'
import { Ago } from '../ui/time'

const channels = ['aegis.alert.']

export function AlertsPage() {
  return (
    <ListPage
      title="Alerts"
      purpose="Hits of detection rules, gathered by their cause. Move each from new to closed and say how it was resolved."
      path="/aegis/alerts"
      here="/aegis/alerts"
      channels={channels}
      query={{ sort: '-last_seen' }}
      keyOf={({ id }) => id}
      filters={[
        { name: 'severity', label: 'Severity', options: ['critical', 'high', 'medium', 'low', 'info'] },
        {
          name: 'status',
          label: 'Status',
          options: ['new', 'triaged', 'in_progress', 'resolved', 'closed', 'suppressed'],
        },
        { name: 'sla', label: 'Deadline', options: ['breached', 'pending', 'met'] },
        { name: 'q', label: 'Title', text: true },
      ]}
      columns={[
        { name: 'Alert', clip: true, show: ({ title }) => title },
        { name: 'Severity', show: ({ severity }) => <Badge value={severity} /> },
        { name: 'Status', show: ({ status }) => <Badge value={status} /> },
        { name: 'Hits', right: true, show: ({ count }) => count },
        { name: 'Last', show: ({ last_seen }) => <Ago at={last_seen} /> },
        { name: 'Acknowledge by', show: ({ sla }) => <Ago at={sla.ack_due} /> },
        {
          name: 'Deadline',
          show: ({ sla }) =>
            sla.breached.length > 0 ? <Badge value="failed" label={`Missed: ${sla.breached.join(', ')}`} /> : null,
        },
      ]}
      empty={
        <Empty title="No alerts">
          <p>An alert opens by itself when a rule hits, for instance when a prompt injection is blocked.</p>
        </Empty>
      }
    />
  )
}
