import { ConnectionError, isRecord } from './problem.ts'

export interface Pagination {
  readonly cursor: string | null
  readonly limit: number
  readonly has_more: boolean
  readonly total_count: number
}

export interface Meta {
  readonly request_id: string
  readonly timestamp: string
  readonly version: string
  readonly pagination?: Pagination
  readonly [extra: string]: unknown
}

/** A successful answer: the envelope and what of the headers a caller needs. */
export interface Answer<T> {
  readonly status: number
  readonly data: T
  readonly meta: Meta
  /** For `ifMatch`; null where the resource has no versions. */
  readonly etag: string | null
  /** Where a created resource lives. */
  readonly location: string | null
}

/** @throws ConnectionError when the body is cut off or no envelope */
export async function readAnswer<T>(response: Response): Promise<Answer<T>> {
  const { data, meta } = readEnvelope<T>(await text(response))
  return {
    status: response.status,
    data,
    meta,
    etag: response.headers.get('etag'),
    location: response.headers.get('location'),
  }
}

/** Here bytes become the type the caller named; the server's document is what vouches for it. */
export function readEnvelope<T>(body: string): { readonly data: T; readonly meta: Meta } {
  const value = parse(body)
  if (!isRecord(value) || !('data' in value) || !isRecord(value.meta)) {
    throw new ConnectionError('the answer is no Parapet envelope')
  }
  return { data: value.data as T, meta: value.meta as Meta }
}

async function text(response: Response): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    throw new ConnectionError('the answer ended early', error)
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    throw new ConnectionError('the answer is not JSON', error)
  }
}
