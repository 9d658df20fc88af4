import { useQuery } from '@tanstack/react-query'
import { type Data, readPage } from '../api/client'
import { Badge } from '../ui/badge'
import { A } from '../ui/link'
import { Panel } from '../ui/panel'
import { Empty, Loaded } from '../ui/states'
import { Table } from '../ui/table'
import { Ago } from '../ui/time'

type Alert = Data<'/aegis/alerts'>

const order = ['critical', 'high', 'medium', 'low', 'info']
const done = new Set(['resolved', 'closed', 'suppressed'])
const most = 6

/** Open alerts, the worst first, and the newest of those. */
export const worstFirst = (alerts: readonly Alert[]): readonly Alert[] =>
  alerts
    .filter(({ status }) => !done.has(status))
    .sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity) || b.last_seen.localeCompare(a.last_seen))

export function OpenAlerts({ className }: { readonly className: string }) {
  const query = useQuery({
    queryKey: ['/aegis/alerts', 'open'],
    queryFn: ({ signal }) => readPage('/aegis/alerts', { signal, query: { sort: '-last_seen', limit: 100 } }),
  })
  return (
    <Panel title="Open alerts" flush className={className} tools={<A href="/aegis/alerts">Triage</A>}>
      <Loaded query={query}>
        {({ data }) => {
          const open = worstFirst(data).slice(0, most)
          if (open.length === 0) return <Empty title="No open alerts" />
          return (
            <Table
              label="Open alerts"
              rows={open}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => `/aegis/alerts/${id}`}
              columns={[
                { name: 'Alert', clip: true, show: ({ title }) => title },
                { name: 'Severity', show: ({ severity }) => <Badge value={severity} /> },
                { name: 'Hits', right: true, show: ({ count }) => count },
                { name: 'Last', show: ({ last_seen }) => <Ago at={last_seen} /> },
              ]}
            />
          )
        }}
      </Loaded>
    </Panel>
  )
}
