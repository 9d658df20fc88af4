import type { Data } from '../api/client'
import { useOne } from '../api/hooks'
import { percent, points, words } from '../ui/format'
import { Panel } from '../ui/panel'
import { Loaded } from '../ui/states'
import { Table } from '../ui/table'

type PillarData = Data<'/trust/pillars/{pillar}'>

export function PillarPanel({ pillar }: { readonly pillar: string }) {
  const query = useOne('/trust/pillars/{pillar}', { params: { pillar } })
  return (
    <Panel title={`Signals of ${words(pillar).replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}`} flush>
      <Loaded query={query} lines={6}>
        {({ data }) => <Signals pillar={data} />}
      </Loaded>
    </Panel>
  )
}

function Signals({ pillar }: { readonly pillar: PillarData }) {
  return (
    <>
      <Table
        label="Signals"
        rows={pillar.signals}
        keyOf={({ id }) => id}
        columns={[
          { name: 'Signal', show: ({ id, formula }) => <span title={formula}>{words(id)}</span> },
          { name: 'Value', right: true, show: ({ value }) => (value === null ? '–' : points(value)) },
          { name: 'Counts as', right: true, show: ({ effective }) => points(effective) },
          { name: 'Weight', right: true, show: ({ weight }) => percent(weight) },
          { name: 'Freshness', right: true, show: ({ freshness }) => percent(freshness) },
          { name: 'Evidence', right: true, show: ({ n }) => n ?? '–' },
          { name: 'Formula', clip: true, show: ({ formula }) => <code>{formula}</code> },
        ]}
      />
      <footer className="row small soft number">
        {`Score ${points(pillar.score)}, weight ${percent(pillar.weight)}, coverage ${percent(pillar.coverage)}, half-life ${points(pillar.half_life_days)} days`}
        {pillar.capped_by === null ? '' : `, capped by ${words(pillar.capped_by)}`}
      </footer>
    </>
  )
}
