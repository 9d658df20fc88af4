import { Badge } from '../ui/badge'
import { words } from '../ui/format'
import { ListPage } from '../ui/list-page'
import { Empty } from '../ui/states'
import { Ago } from '../ui/time'

const channels = ['gateway.policy.']

export function PoliciesPage() {
  return (
    <ListPage
      title="Policies"
      purpose="Rules that calls pass. Where several apply to one call, the strictest word counts."
      path="/gateway/policies"
      channels={channels}
      keyOf={({ id }) => id}
      filters={[{ name: 'status', label: 'Status', options: ['draft', 'published', 'archived'] }]}
      columns={[
        { name: 'Name', show: ({ name }) => name },
        { name: 'Status', show: ({ status }) => <Badge value={status} /> },
        { name: 'Active version', right: true, show: ({ active_version }) => active_version ?? '–' },
        { name: 'Latest', right: true, show: ({ latest_version }) => latest_version },
        {
          name: 'Applies to',
          clip: true,
          show: ({ bindings }) => bindings.map(({ kind }) => words(kind)).join(', ') || '–',
        },
        { name: 'Changed', show: ({ updated_at }) => <Ago at={updated_at} /> },
      ]}
      empty={
        <Empty title="Only the default policy applies" icon="gateway">
          <p>
            It blocks prompt injections and replaces personal data and secrets. A policy of your own is made by the API.
          </p>
        </Empty>
      }
    />
  )
}
