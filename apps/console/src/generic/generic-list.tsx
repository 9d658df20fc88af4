import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { signedIn } from '../api/client'
import { rowsOf, totalOf } from '../api/hooks'
import { columnsOf, type Parameter, type Resource } from '../docs/openapi'
import { Detail } from '../ui/detail'
import { Choice, Field } from '../ui/field'
import { whole, words } from '../ui/format'
import { useFilters } from '../ui/link'
import { Page } from '../ui/panel'
import { Empty, Loaded } from '../ui/states'
import { Table } from '../ui/table'
import { Value } from './value'

type Row = Readonly<Record<string, unknown>>

const hidden = new Set(['limit', 'cursor', 'sort'])

interface GenericProps {
  readonly resource: Resource
  /** Of the item that is open; null for none. */
  readonly id: string | null
}

export function GenericList({ resource, id }: GenericProps) {
  const [values] = useFilters()
  const list = useInfiniteQuery({
    queryKey: [resource.path, 'list', {}, values],
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam: cursor }) =>
      signedIn().get<readonly Row[]>(resource.path, { signal, query: { limit: 50, ...values, cursor } }),
    getNextPageParam: ({ meta }) => (meta.pagination?.has_more === true ? meta.pagination.cursor : null),
  })
  const rows = rowsOf<Row>(list.data)
  const total = totalOf(list.data)
  const here = `/modules${resource.path}`
  return (
    <Page title={words(resource.name)} purpose={`${resource.summary}.`}>
      <section className="panel" aria-label={words(resource.name)}>
        <FilterRow parameters={resource.parameters.filter(({ name }) => !hidden.has(name))} />
        <Loaded query={list} lines={9}>
          {() =>
            rows.length === 0 ? (
              <Empty title="Nothing here" icon="modules" />
            ) : (
              <Table
                label={words(resource.name)}
                rows={rows}
                keyOf={keyOf}
                {...(resource.detail === null ? {} : { hrefOf: (row: Row) => `${here}/${keyOf(row)}` })}
                columns={columnsOf(resource.item).map((name) => ({
                  name: words(name),
                  clip: true,
                  show: (row: Row) => <Value value={row[name]} name={name} />,
                }))}
              />
            )
          }
        </Loaded>
        <footer className="row apart">
          <span className="number">
            {total === null ? `${whole(rows.length)} shown` : `${whole(rows.length)} of ${whole(total)}`}
          </span>
          {list.hasNextPage ? (
            <button type="button" className="button tiny" onClick={() => void list.fetchNextPage()}>
              Show more
            </button>
          ) : null}
        </footer>
      </section>
      {id === null || resource.detail === null ? null : <One resource={resource} id={id} here={here} />}
    </Page>
  )
}

const keyOf = (row: Row): string => String(row.id ?? row.key ?? row.name)

function One({ resource, id, here }: { readonly resource: Resource; readonly id: string; readonly here: string }) {
  const path = (resource.detail ?? '').replace(/\{\w+\}$/, encodeURIComponent(id))
  const one = useQuery({ queryKey: [path], queryFn: ({ signal }) => signedIn().get<Row>(path, { signal }) })
  const title = one.data === undefined ? words(resource.name) : String(one.data.data.name ?? one.data.data.title ?? id)
  return (
    <Detail title={title} here={here}>
      <Loaded query={one} lines={9}>
        {({ data }) => (
          <dl className="facts">
            {Object.entries(data).map(([name, value]) => (
              <FactRow key={name} name={name} value={value} />
            ))}
          </dl>
        )}
      </Loaded>
    </Detail>
  )
}

function FactRow({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <>
      <dt>{words(name)}</dt>
      <dd>
        <Value name={name} value={value} />
      </dd>
    </>
  )
}

function FilterRow({ parameters }: { readonly parameters: readonly Parameter[] }) {
  const [values, set] = useFilters()
  if (parameters.length === 0) return null
  return (
    <search className="filters">
      {parameters.map(({ name, schema }) => {
        const options = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : null)
        if (options !== null)
          return (
            <Choice
              key={name}
              label={words(name)}
              none="Any"
              value={values[name] ?? ''}
              options={options.map(String)}
              onChange={(value) => set({ [name]: value })}
            />
          )
        return (
          <Field
            key={name}
            label={words(name)}
            type="search"
            placeholder="Enter to search"
            defaultValue={values[name] ?? ''}
            onKeyDown={(event) => event.key === 'Enter' && set({ [name]: event.currentTarget.value.trim() })}
          />
        )
      })}
    </search>
  )
}
