import { Badge } from '../ui/badge'
import { points, whole, words } from '../ui/format'
import { ListPage } from '../ui/list-page'
import { Empty } from '../ui/states'
import { Ago } from '../ui/time'

const channels = ['aegis.shadow_ai']

export function ShadowPage() {
  return (
    <ListPage
      title="Shadow AI"
      purpose="AI services that your logs show in use, with their risk and what was decided about them."
      path="/aegis/shadow-ai/services"
      here="/aegis/shadow-ai"
      channels={channels}
      keyOf={({ id }) => id}
      query={{ sort: '-risk_score' }}
      filters={[
        {
          name: 'status',
          label: 'Decision',
          options: ['discovered', 'under_review', 'sanctioned', 'tolerated', 'banned'],
        },
        { name: 'type', label: 'Kind', options: ['ai_service', 'mcp_server'] },
        { name: 'q', label: 'Name or host', text: true },
      ]}
      columns={[
        { name: 'Service', show: ({ name }) => name },
        { name: 'Kind', show: ({ type }) => words(type) },
        { name: 'Risk', right: true, show: ({ risk_score }) => points(risk_score) },
        { name: 'Decision', show: ({ status }) => <Badge value={status} /> },
        { name: 'People', right: true, show: ({ users }) => whole(users) },
        { name: 'Requests', right: true, show: ({ requests }) => whole(requests) },
        { name: 'Departments', clip: true, show: ({ departments }) => departments.join(', ') || '–' },
        { name: 'Last seen', show: ({ last_seen }) => <Ago at={last_seen} /> },
      ]}
      empty={
        <Empty title="No services were discovered" icon="aegis">
          <p>
            Send logs of your proxies, resolvers or firewalls to POST /aegis/shadow-ai/ingestions, and the services in
            them appear here.
          </p>
        </Empty>
      }
    />
  )
}
