import { useQuery } from '@tanstack/react-query'
import { readPage } from '../api/client'
import { Badge } from '../ui/badge'
import { words } from '../ui/format'
import { A } from '../ui/link'
import { Panel } from '../ui/panel'
import { Empty, Loaded } from '../ui/states'
import { Table } from '../ui/table'
import { Ago } from '../ui/time'

const shown = 6

export function RecentBlocks({ className }: { readonly className: string }) {
  const query = useQuery({
    queryKey: ['/gateway/requests', 'blocked'],
    queryFn: ({ signal }) => readPage('/gateway/requests', { signal, query: { decision: 'blocked', limit: shown } }),
  })
  return (
    <Panel
      title="Blocked lately"
      flush
      className={className}
      tools={<A href="/gateway/requests?decision=blocked">All blocked</A>}
    >
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="Nothing was blocked yet" icon="gateway">
              <p>
                <A href="/gateway/playground">Send a prompt injection in the playground</A> and see it stopped.
              </p>
            </Empty>
          ) : (
            <Table
              label="Blocked calls"
              rows={data}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => `/gateway/requests/${id}`}
              columns={[
                { name: 'When', show: ({ created_at }) => <Ago at={created_at} /> },
                { name: 'Blocked by', show: ({ blocked_step }) => (blocked_step === null ? '–' : words(blocked_step)) },
                { name: 'Code', show: ({ error_code }) => <code>{error_code ?? '–'}</code> },
                { name: 'Model', clip: true, show: ({ model, requested_model }) => model ?? requested_model ?? '–' },
                { name: 'Decision', show: ({ decision }) => <Badge value={decision} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Panel>
  )
}
