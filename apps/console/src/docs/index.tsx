import { useQuery } from '@tanstack/react-query'
import { Field } from '../ui/field'
import { A, useFilters } from '../ui/link'
import { Page, Panel } from '../ui/panel'
import { Empty, Loaded } from '../ui/states'
import { Table } from '../ui/table'
import { type Document, type Place, placesOf, readDocument } from './openapi'
import { OperationPanel } from './operation'

export function DocsPage() {
  const document = useQuery({ queryKey: ['/openapi.json'], queryFn: readDocument, staleTime: Number.POSITIVE_INFINITY })
  return (
    <Page
      title="API"
      purpose="Every operation of this server, from its own OpenAPI document; nothing is loaded from elsewhere."
    >
      <Loaded query={document} lines={9}>
        {(data) => <Browser document={data} />}
      </Loaded>
    </Page>
  )
}

function Browser({ document }: { readonly document: Document }) {
  const [{ q = '', operation }, set] = useFilters()
  const places = placesOf(document)
  const wanted = q.toLowerCase()
  const found = places.filter(({ path, method, operation: { summary } }) =>
    `${method} ${path} ${summary}`.toLowerCase().includes(wanted),
  )
  const open = places.find((place) => place.operation.operationId === operation)
  return (
    <div className="grid">
      <Panel
        title={`${found.length} operations`}
        flush
        className={open === undefined ? '' : 'five'}
        tools={<a href="/openapi.json">openapi.json</a>}
      >
        <search className="filters">
          <Field
            label="Words of the path or the summary"
            type="search"
            defaultValue={q}
            onChange={(event) => set({ q: event.target.value })}
          />
        </search>
        {found.length === 0 ? (
          <Empty title="No operation fits" icon="search" />
        ) : (
          <Operations places={found} open={operation} query={q} />
        )}
      </Panel>
      {open === undefined ? null : (
        <div className="seven stack">
          <OperationPanel place={open} />
        </div>
      )}
    </div>
  )
}

interface OperationsProps {
  readonly places: readonly Place[]
  readonly open: string | undefined
  readonly query: string
}

function Operations({ places, open, query }: OperationsProps) {
  const hrefOf = ({ operation: { operationId } }: Place): string =>
    `/docs?${new URLSearchParams({ ...(query === '' ? {} : { q: query }), operation: operationId })}`
  return (
    <Table
      label="Operations"
      rows={places}
      keyOf={({ operation }) => operation.operationId}
      openKey={open}
      columns={[
        { name: 'Method', show: ({ method }) => <code>{method}</code> },
        {
          name: 'Path',
          show: (place) => (
            <A href={hrefOf(place)} className="row-link">
              <code>{place.path}</code>
            </A>
          ),
        },
        { name: 'Summary', show: ({ operation }) => operation.summary },
      ]}
    />
  )
}
