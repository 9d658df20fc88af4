/** Reading and changing through the query cache. Keys begin with the path, so that events can name what they outdate. */
import type { Answer } from '@parapet/sdk'
import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type Data, type ListPath, type OnePath, type Params, type Query, readAll, readOne, readPage } from './client'

interface OneInput<P extends OnePath> {
  readonly params?: Params
  readonly query?: Query<P>
  readonly enabled?: boolean
}

/** One resource or report: the whole answer, with its `etag`. */
export function useOne<P extends OnePath>(path: P, { params, query, enabled = true }: OneInput<P> = {}) {
  return useQuery({
    queryKey: [path, params ?? {}, query ?? {}],
    enabled,
    queryFn: ({ signal }): Promise<Answer<Data<P>>> =>
      readOne(path, { signal, ...(params && { params }), ...(query && { query }) }),
  })
}

interface ListInput<P extends ListPath> {
  readonly params?: Params
  readonly query?: Query<P>
  readonly enabled?: boolean
}

/** A list by its pages. Events never change it while it is read: see `useNews`. */
export function useList<P extends ListPath>(path: P, { params, query, enabled = true }: ListInput<P> = {}) {
  return useInfiniteQuery({
    queryKey: [path, 'list', params ?? {}, query ?? {}],
    enabled,
    initialPageParam: null as string | null,
    placeholderData: keepPreviousData,
    queryFn: ({ signal, pageParam }): Promise<Answer<readonly Data<P>[]>> => {
      const all = { limit: 50, ...query, ...(pageParam === null ? {} : { cursor: pageParam }) } as Query<P>
      return readPage(path, { signal, query: all, ...(params && { params }) })
    },
    getNextPageParam: ({ meta }) => (meta.pagination?.has_more === true ? meta.pagination.cursor : null),
  })
}

/** The first thousand items together; unlike a list, events renew them while they are shown. */
export function useAll<P extends ListPath>(path: P, { params, query, enabled = true }: ListInput<P> = {}) {
  return useQuery({
    queryKey: [path, 'all', params ?? {}, query ?? {}],
    enabled,
    queryFn: ({ signal }) => readAll(path, { signal, ...(params && { params }), ...(query && { query }) }),
  })
}

/** Rows of all pages read so far. */
export function rowsOf<T>(data: InfiniteData<Answer<readonly T[]>> | undefined): readonly T[] {
  return data?.pages.flatMap((page) => page.data) ?? []
}

export function totalOf(data: InfiniteData<Answer<readonly unknown[]>> | undefined): number | null {
  return data?.pages[0]?.meta.pagination?.total_count ?? null
}
