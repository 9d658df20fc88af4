import { Badge } from '../ui/badge'
import { percent, words } from '../ui/format'
import { ListPage } from '../ui/list-page'
import { Empty } from '../ui/states'
import { Ago } from '../ui/time'

const jobChannels = ['job.', 'admin.job.']
const flagChannels = ['admin.flag.']

export function JobsPage() {
  return (
    <ListPage
      title="Jobs"
      purpose="Work in the background: what waits, runs, is done, and what gave up."
      path="/admin/jobs"
      channels={jobChannels}
      keyOf={({ id }) => id}
      query={{ sort: '-created_at' }}
      filters={[
        { name: 'status', label: 'Status', options: ['queued', 'running', 'completed', 'failed', 'dead', 'cancelled'] },
        { name: 'kind', label: 'Kind', text: true },
      ]}
      columns={[
        { name: 'Kind', show: ({ kind }) => <code>{kind}</code> },
        { name: 'Status', show: ({ status }) => <Badge value={status} /> },
        { name: 'Progress', right: true, show: ({ progress }) => percent(progress) },
        {
          name: 'Attempts',
          right: true,
          show: ({ attempts, max_attempts }) => `${attempts}${max_attempts === null ? '' : ` of ${max_attempts}`}`,
        },
        { name: 'Made', show: ({ created_at }) => <Ago at={created_at} /> },
        { name: 'Ended', show: ({ finished_at }) => <Ago at={finished_at} /> },
        { name: 'Last error', clip: true, show: ({ last_error }) => last_error?.message ?? last_error?.class ?? '–' },
      ]}
      empty={<Empty title="No jobs" icon="admin" />}
    />
  )
}

export function FlagsPage() {
  return (
    <ListPage
      title="Feature flags"
      purpose="Flags with their variants, and whether anybody still asks for them."
      path="/admin/feature-flags"
      channels={flagChannels}
      keyOf={({ id }) => id}
      filters={[
        { name: 'status', label: 'Status', options: ['draft', 'enabled', 'disabled', 'archived'] },
        { name: 'q', label: 'Part of the key', text: true },
      ]}
      columns={[
        { name: 'Flag', show: ({ key }) => <code>{key}</code> },
        { name: 'Status', show: ({ status }) => <Badge value={status} /> },
        { name: 'Values', show: ({ value_type }) => words(value_type) },
        { name: 'Variants', clip: true, show: ({ variants }) => variants.map(({ key }) => key).join(', ') },
        { name: 'Default', show: ({ default_variant }) => default_variant },
        { name: 'Rules', right: true, show: ({ rules }) => rules.length },
        { name: 'Changed', show: ({ updated_at }) => <Ago at={updated_at} /> },
      ]}
      empty={
        <Empty title="No flags" icon="admin">
          <p>A flag is made by the API and evaluated by OFREP, the protocol of OpenFeature.</p>
        </Empty>
      }
    />
  )
}
