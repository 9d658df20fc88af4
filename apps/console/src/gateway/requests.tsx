import type { Data } from '../api/client'
import { Badge } from '../ui/badge'
import { milliseconds, money } from '../ui/format'
import { A } from '../ui/link'
import { ListPage } from '../ui/list-page'
import { Empty } from '../ui/states'
import type { Column } from '../ui/table'
import { Ago } from '../ui/time'

type Call = Data<'/gateway/requests'>

const channels = ['gateway.request.']

const columns: readonly Column<Call>[] = [
  { name: 'When', show: ({ created_at }) => <Ago at={created_at} /> },
  { name: 'Decision', show: ({ decision }) => <Badge value={decision} /> },
  {
    name: 'Status',
    show: ({ status, error_code }) => (error_code === null ? <Badge value={status} /> : <code>{error_code}</code>),
  },
  { name: 'Provider', show: ({ provider, requested_provider }) => provider ?? requested_provider ?? '–' },
  { name: 'Model', clip: true, show: ({ model, requested_model }) => model ?? requested_model ?? '–' },
  { name: 'Tokens', right: true, show: ({ usage }) => usage?.total_tokens ?? '–' },
  {
    name: 'Cost',
    right: true,
    show: ({ cost }) => (cost.amount === null ? cost.status : money(cost.amount, cost.currency)),
  },
  { name: 'Total', right: true, show: ({ timings }) => milliseconds(timings.total_ms) },
]

export function RequestsPage() {
  return (
    <ListPage
      title="Requests"
      purpose="Every model call that passed the gateway, with the verdict of its 14 steps."
      path="/gateway/requests"
      here="/gateway/requests"
      channels={channels}
      columns={columns}
      keyOf={({ id }) => id}
      filters={[
        { name: 'decision', label: 'Decision', options: ['allowed', 'flagged', 'redacted', 'blocked'] },
        {
          name: 'status',
          label: 'Status',
          options: ['in_progress', 'completed', 'blocked', 'failed', 'incomplete', 'client_closed'],
        },
        { name: 'model', label: 'Model', text: true },
        { name: 'q', label: 'Words of the content', text: true },
      ]}
      empty={
        <Empty title="No calls yet" icon="gateway">
          <p>
            Point a client’s base URL at the gateway, or{' '}
            <A href="/gateway/playground">send the first prompt in the playground</A>.
          </p>
        </Empty>
      }
    />
  )
}
