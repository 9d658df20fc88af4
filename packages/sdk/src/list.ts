import { type Answer, readAnswer } from './http/answer.ts'
import type { Caller } from './http/caller.ts'
import type { CallOptions } from './http/request.ts'

export type ListOptions = Pick<CallOptions, 'query' | 'headers' | 'signal'>

/**
 * Every item of a list, page after page; the next page is asked for when the one before is used up.
 * @throws ProblemError, ConnectionError
 */
export async function* walk<T>(call: Caller, path: string, options: ListOptions): AsyncGenerator<T, void, undefined> {
  for await (const page of pages<T>(call, path, options)) yield* page.data
}

/** The same walk, a whole page at a time, with its `meta`. */
export async function* pages<T>(
  call: Caller,
  path: string,
  options: ListOptions,
): AsyncGenerator<Answer<readonly T[]>, void, undefined> {
  let cursor: string | null = null
  do {
    const query = cursor === null ? options.query : { ...options.query, cursor }
    const page: Answer<readonly T[]> = await call(
      { ...options, method: 'GET', path, ...(query === undefined ? {} : { query }) },
      readAnswer<readonly T[]>,
    )
    yield page
    const { pagination } = page.meta
    cursor = pagination?.has_more === true ? pagination.cursor : null
  } while (cursor !== null)
}
