import type { Data } from '../api/client'
import { useOne } from '../api/hooks'
import { Badge } from '../ui/badge'
import { Detail, useId } from '../ui/detail'
import { Facts } from '../ui/field'
import { date, percent, words } from '../ui/format'
import { Panel } from '../ui/panel'
import { Empty, Loaded } from '../ui/states'
import { Table } from '../ui/table'
import { Ago } from '../ui/time'

type Control = Data<'/compliance/controls/{control_id}'>

export function ControlDrawer() {
  const id = useId()
  const control = useOne('/compliance/controls/{control_id}', { params: { control_id: id } })
  const title = control.data === undefined ? 'Control' : `${control.data.data.ref} ${control.data.data.title}`
  return (
    <Detail title={title} here="/compliance/controls">
      <Loaded query={control} lines={8}>
        {({ data }) => <ControlParts control={data} />}
      </Loaded>
    </Detail>
  )
}

function ControlParts({ control }: { readonly control: Control }) {
  return (
    <>
      <div className="row">
        <Badge value={control.result} />
        <Badge value={control.evidence_state} />
        {control.conflict ? <Badge value="failed" label="Sources disagree" /> : null}
      </div>
      <Panel title="Requirement">
        <Facts
          rows={[
            ['Statement', control.statement ?? 'The text is the publisher’s and not part of the catalog.'],
            ['Implementation', words(control.implementation_status)],
            ['Note', control.implementation_note],
            ['Score', control.score === null ? '–' : percent(control.score)],
            [
              'Between',
              control.lower_bound === null
                ? '–'
                : `${percent(control.lower_bound)} and ${percent(control.upper_bound ?? 1)}`,
            ],
            ['Result from', control.result_source === null ? '–' : words(control.result_source)],
          ]}
        />
      </Panel>
      <Panel title="Checks" flush>
        {control.checks.length === 0 ? (
          <Empty title="No automatic check covers it" icon="compliance" />
        ) : (
          <Table
            label="Checks"
            rows={control.checks}
            keyOf={({ check_id }) => check_id}
            columns={[
              { name: 'Check', show: ({ title }) => title },
              { name: 'Outcome', show: ({ outcome }) => (outcome === null ? 'Not run' : <Badge value={outcome} />) },
              { name: 'Last run', show: ({ run_at }) => <Ago at={run_at} /> },
            ]}
          />
        )}
      </Panel>
      <Panel title="Evidence" flush>
        {control.evidence.length === 0 ? (
          <Empty title="No evidence" icon="compliance" />
        ) : (
          <Table
            label="Evidence"
            rows={control.evidence}
            keyOf={({ evidence_id }) => evidence_id}
            columns={[
              { name: 'Evidence', show: ({ title }) => title },
              { name: 'Kind', show: ({ kind }) => words(kind) },
              { name: 'Freshness', right: true, show: ({ freshness }) => percent(freshness) },
              { name: 'Strength', right: true, show: ({ strength }) => percent(strength) },
              { name: 'Valid until', show: ({ valid_until }) => date(valid_until) },
            ]}
          />
        )}
      </Panel>
    </>
  )
}
