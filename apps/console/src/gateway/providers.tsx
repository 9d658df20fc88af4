import { Badge } from '../ui/badge'
import { words } from '../ui/format'
import { ListPage } from '../ui/list-page'
import { Empty } from '../ui/states'
import { Ago } from '../ui/time'

const channels = ['gateway.provider.', 'gateway.secret.']

export function ProvidersPage() {
  return (
    <ListPage
      title="Providers"
      purpose="Where models answer, how they are, and what their terms allow."
      path="/gateway/providers"
      channels={channels}
      keyOf={({ id }) => id}
      filters={[
        { name: 'health', label: 'Health', options: ['unknown', 'healthy', 'degraded', 'down'] },
        { name: 'status', label: 'Status', options: ['enabled', 'disabled'] },
      ]}
      columns={[
        { name: 'Name', show: ({ name }) => name },
        { name: 'Kind', show: ({ kind, offline }) => (offline ? `${words(kind)} (offline)` : words(kind)) },
        { name: 'Health', show: ({ health }) => <Badge value={health.state} /> },
        { name: 'Status', show: ({ status }) => <Badge value={status} /> },
        { name: 'Models', right: true, show: ({ models }) => models.length },
        { name: 'Works in', show: ({ residency }) => residency.join(', ') || '–' },
        { name: 'Keeps nothing', show: ({ zero_retention }) => (zero_retention ? 'Yes' : 'No') },
        { name: 'Secrets', right: true, show: ({ secrets }) => secrets.length },
        { name: 'Last test', show: ({ health }) => <Ago at={health.last_test?.at} /> },
      ]}
      empty={<Empty title="No providers" icon="gateway" />}
    />
  )
}
