import type { Data } from '../api/client'
import { useOne } from '../api/hooks'
import { Badge } from '../ui/badge'
import { Field, Switch } from '../ui/field'
import { words } from '../ui/format'
import { useFilters } from '../ui/link'
import { Page, Panel } from '../ui/panel'
import { Empty, Loaded } from '../ui/states'
import { Table } from '../ui/table'

type Setting = Data<'/admin/config'>[number]

const views = ['all', 'changed'] as const

export function SettingsPage() {
  const [values, set] = useFilters()
  const config = useOne('/admin/config')
  const typed = values.q ?? ''
  const view = values.view === 'changed' ? 'changed' : 'all'
  const shown = (all: readonly Setting[]): readonly Setting[] =>
    all.filter(({ key, is_default }) => key.includes(typed) && (view === 'all' || !is_default))
  return (
    <Page title="Settings" purpose="Settings that count for this tenant, and where each value comes from.">
      <Panel
        title="Settings"
        flush
        tools={
          <Switch
            label="Settings shown"
            value={view}
            options={views}
            onChange={(next) => set({ view: next === 'all' ? '' : next })}
          />
        }
      >
        <search className="filters">
          <Field
            label="Part of the key"
            type="search"
            defaultValue={typed}
            onChange={(event) => set({ q: event.target.value })}
          />
        </search>
        <Loaded query={config} lines={9}>
          {({ data }) => <Settings settings={shown(data)} />}
        </Loaded>
      </Panel>
    </Page>
  )
}

function Settings({ settings }: { readonly settings: readonly Setting[] }) {
  if (settings.length === 0) return <Empty title="No setting fits" icon="search" />
  return (
    <Table
      label="Settings"
      rows={settings}
      keyOf={({ key }) => key}
      columns={[
        { name: 'Key', show: ({ key }) => <code>{key}</code> },
        {
          name: 'Value',
          clip: true,
          show: ({ value, redacted }) => (redacted ? 'Secret' : <code>{JSON.stringify(value)}</code>),
        },
        {
          name: 'From',
          show: ({ source, is_default }) => <Badge value={is_default ? 'none' : 'in_progress'} label={words(source)} />,
        },
        { name: 'Default', clip: true, show: ({ default: value }) => <code>{JSON.stringify(value)}</code> },
        { name: 'Restart', show: ({ restart_required }) => (restart_required ? 'Needed' : 'No') },
      ]}
    />
  )
}
