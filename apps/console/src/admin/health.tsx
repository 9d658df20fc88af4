import type { Data } from '../api/client'
import { useOne } from '../api/hooks'
import { Badge } from '../ui/badge'
import { milliseconds, words } from '../ui/format'
import { Page, Panel } from '../ui/panel'
import { Loaded } from '../ui/states'
import { Table } from '../ui/table'
import { Ago } from '../ui/time'

type Health = Data<'/admin/health'>

export function HealthPage() {
  const health = useOne('/admin/health')
  return (
    <Page title="Health" purpose="The parts that this installation depends on, as they were found last.">
      <Loaded query={health} lines={8}>
        {({ data }) => <Checks health={data} />}
      </Loaded>
    </Page>
  )
}

function Checks({ health }: { readonly health: Health }) {
  const rows = Object.entries(health.checks).map(([name, check]) => ({ name, ...check }))
  return (
    <div className="stack">
      <Panel title="Checks" flush tools={<Badge value={health.status} />}>
        <Table
          label="Checks"
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { name: 'Check', show: ({ name }) => words(name) },
            { name: 'State', show: ({ status }) => <Badge value={status} /> },
            { name: 'Took', right: true, show: ({ latency_ms }) => milliseconds(latency_ms) },
            { name: 'Since', show: ({ since }) => <Ago at={since} /> },
            { name: 'Looked', show: ({ checked_at }) => <Ago at={checked_at} /> },
            { name: 'Error', show: ({ error_class }) => error_class ?? '–' },
          ]}
        />
      </Panel>
      <Panel title="Keys" flush>
        <Table
          label="Keys"
          rows={health.keys}
          keyOf={({ purpose, kid }) => `${purpose} ${kid}`}
          columns={[
            { name: 'Purpose', show: ({ purpose }) => words(purpose) },
            { name: 'Key', clip: true, show: ({ kid }) => <code>{kid}</code> },
            { name: 'Algorithm', show: ({ algorithm }) => algorithm },
            { name: 'State', show: ({ status }) => <Badge value={status} /> },
            { name: 'Made', show: ({ created_at }) => <Ago at={created_at} /> },
          ]}
        />
      </Panel>
    </div>
  )
}
