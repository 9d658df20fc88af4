/**
 * A list as the API has it: filters in the address, pages one after another, the detail of a row over it. Changes
 * wait behind a bar, so that nothing moves while it is read.
 */
import type { StreamEvent } from '@parapet/sdk'
import { Outlet } from '@tanstack/react-router'
import { type ReactNode, useCallback, useRef } from 'react'
import type { Data, ListPath, Query } from '../api/client'
import { rowsOf, totalOf, useList } from '../api/hooks'
import { useNews } from '../api/live'
import { Choice, Field } from './field'
import { whole } from './format'
import { useFilters, useGo, useHere } from './link'
import { Page } from './panel'
import { RowKeysSwitch, useRowKeys } from './row-keys'
import { Empty, Loaded } from './states'
import { type Column, Table } from './table'

export type Filter =
  | { readonly name: string; readonly label: string; readonly options: readonly string[] }
  | { readonly name: string; readonly label: string; readonly text: true }

export interface ListPageProps<P extends ListPath> {
  readonly title: string
  readonly purpose: string
  readonly path: P
  readonly columns: readonly Column<Data<P>>[]
  readonly keyOf: (row: Data<P>) => string
  readonly query?: Query<P>
  readonly filters?: readonly Filter[]
  /** Address of the list, where its rows have details at `<here>/<key>`. */
  readonly here?: string
  /** Beginnings of the channels whose events concern the list. */
  readonly channels?: readonly string[]
  readonly empty: ReactNode
  readonly action?: ReactNode
  readonly above?: ReactNode
}

const no: readonly string[] = []

export function ListPage<P extends ListPath>(props: ListPageProps<P>) {
  const { title, purpose, path, filters = [], action, above, channels = no } = props
  const [values] = useFilters()
  const query = { ...props.query, ...values } as Query<P>
  const list = useList(path, { query })
  const concerns = useCallback(
    (event: StreamEvent) => channels.some((beginning) => event.channel.startsWith(beginning)),
    [channels],
  )
  const news = useNews(concerns)
  const renew = (): void => {
    news.reset()
    void list.refetch()
  }
  return (
    <Page title={title} purpose={purpose} action={action}>
      {above}
      <section className="panel" aria-label={title}>
        {filters.length === 0 ? null : <Filters filters={filters} />}
        {news.count === 0 ? null : (
          <button type="button" className="news" onClick={renew}>
            {`${whole(news.count)} new: show`}
          </button>
        )}
        <Loaded query={list} lines={9}>
          {() => <Rows {...props} list={list} />}
        </Loaded>
      </section>
      <Outlet />
    </Page>
  )
}

type RowsProps<P extends ListPath> = ListPageProps<P> & { readonly list: ReturnType<typeof useList<P>> }

function Rows<P extends ListPath>({ list, title, columns, keyOf, here, empty }: RowsProps<P>) {
  const path = useHere()
  const [values] = useFilters()
  const rows = rowsOf<Data<P>>(list.data)
  if (rows.length === 0) {
    if (Object.keys(values).length === 0) return <>{empty}</>
    return <Empty title="Nothing fits these filters" icon="search" />
  }
  const suffix = new URLSearchParams(values).toString()
  const hrefOf = (row: Data<P>): string => `${here ?? ''}/${keyOf(row)}${suffix === '' ? '' : `?${suffix}`}`
  const openKey = here !== undefined && path.startsWith(`${here}/`) ? path.slice(here.length + 1) : undefined
  if (here === undefined)
    return (
      <>
        <Table label={title} columns={columns} rows={rows} keyOf={keyOf} />
        <More list={list} shown={rows.length} />
      </>
    )
  return (
    <KeyedRows hrefs={rows.map(hrefOf)} openAt={rows.findIndex((row) => keyOf(row) === openKey)} list={list}>
      <Table label={title} columns={columns} rows={rows} keyOf={keyOf} openKey={openKey} hrefOf={hrefOf} />
    </KeyedRows>
  )
}

interface KeyedProps<P extends ListPath> {
  readonly hrefs: readonly string[]
  readonly openAt: number
  readonly list: ReturnType<typeof useList<P>>
  readonly children: ReactNode
}

/** Rows with details, through which the keys j and k go. */
function KeyedRows<P extends ListPath>({ hrefs, openAt, list, children }: KeyedProps<P>) {
  const box = useRef<HTMLDivElement>(null)
  const [on, toggle] = useRowKeys({ box, hrefs, openAt, onOpen: useGo() })
  return (
    <div ref={box}>
      {children}
      <More list={list} shown={hrefs.length}>
        <RowKeysSwitch on={on} onToggle={toggle} />
      </More>
    </div>
  )
}

interface MoreProps<P extends ListPath> {
  readonly list: ReturnType<typeof useList<P>>
  readonly shown: number
  readonly children?: ReactNode
}

function More<P extends ListPath>({ list, shown, children }: MoreProps<P>) {
  const total = totalOf(list.data)
  return (
    <footer className="row apart">
      <span className="number" data-testid="list-total">
        {total === null ? `${whole(shown)} shown` : `${whole(shown)} of ${whole(total)}`}
      </span>
      {children}
      {list.hasNextPage ? (
        <button
          type="button"
          className="button tiny"
          disabled={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {list.isFetchingNextPage ? 'Reading more …' : 'Show more'}
        </button>
      ) : null}
    </footer>
  )
}

function Filters({ filters }: { readonly filters: readonly Filter[] }) {
  const [values, set] = useFilters()
  return (
    <search className="filters">
      {filters.map((filter) =>
        'options' in filter ? (
          <Choice
            key={filter.name}
            label={filter.label}
            value={values[filter.name] ?? ''}
            none="Any"
            options={filter.options}
            onChange={(value) => set({ [filter.name]: value })}
          />
        ) : (
          <Field
            key={filter.name}
            label={filter.label}
            type="search"
            defaultValue={values[filter.name] ?? ''}
            onKeyDown={(event) => event.key === 'Enter' && set({ [filter.name]: event.currentTarget.value.trim() })}
            placeholder="Enter to search"
          />
        ),
      )}
    </search>
  )
}
