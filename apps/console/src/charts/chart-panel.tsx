import { type ReactNode, useState } from 'react'
import { type Cell, csvOf, download } from '../ui/csv'
import { Switch } from '../ui/field'
import { Panel } from '../ui/panel'
import { Table } from '../ui/table'

interface ChartPanelProps {
  readonly title: string
  /** One sentence that the chart says. */
  readonly says: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  readonly tools?: ReactNode
  readonly className?: string
  readonly children: ReactNode
}

/** A chart with its sentence, its table and its file: no number is only in a picture. */
export function ChartPanel({ title, says, head, rows, tools, className, children }: ChartPanelProps) {
  const [view, setView] = useState<'chart' | 'table'>('chart')
  const save = (): void => download(`${title.toLowerCase().replaceAll(' ', '-')}.csv`, csvOf(head, rows))
  const buttons = (
    <>
      {tools}
      <Switch label={`${title} as`} value={view} options={['chart', 'table']} onChange={setView} />
      <button type="button" className="button tiny" onClick={save}>
        CSV
      </button>
    </>
  )
  return (
    <Panel
      title={title}
      tools={buttons}
      {...(className === undefined ? {} : { className })}
      flush={view === 'table'}
      foot={says}
    >
      {view === 'chart' ? children : <ChartTable title={title} head={head} rows={rows} />}
    </Panel>
  )
}

interface Keyed {
  readonly key: string
  readonly cells: readonly Cell[]
}

function ChartTable({ title, head, rows }: Pick<ChartPanelProps, 'title' | 'head' | 'rows'>) {
  const keyed: readonly Keyed[] = rows.map((cells) => ({ key: cells.join('|'), cells }))
  return (
    <Table
      label={title}
      rows={keyed}
      keyOf={({ key }) => key}
      columns={head.map((name, index) => ({
        name,
        right: typeof rows[0]?.[index] === 'number',
        show: ({ cells }: Keyed) => cells[index],
      }))}
    />
  )
}
