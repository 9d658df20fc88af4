/**
 * The way to identity providers: the kernel's guarded egress, in the form that protocol libraries call. Redirects are
 * not followed, answers are bounded in time and size. Tested through oidc/oidc.test.ts.
 */
import type { EgressRequest } from '../../../kernel/egress/exchange.ts'
import type { Egress } from '../../../kernel/egress/fetch.ts'
import { webResponseOf } from '../../../kernel/egress/web-response.ts'

const timeouts = { connectMs: 5_000, firstByteMs: 10_000, idleMs: 5_000, totalMs: 15_000 }
/** Key sets and metadata of big providers are some 100 KiB. */
const maxBytes = 1_048_576

export interface FetchOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>> | Headers
  readonly body?: unknown
  readonly signal?: AbortSignal | null
}

export type GuardedFetch = (url: string | URL, options?: FetchOptions) => Promise<Response>

export function guardedFetch(egress: Pick<Egress, 'fetch'>): GuardedFetch {
  return async (url, options = {}) => webResponseOf(await egress.fetch(requestOf(String(url), options)))
}

function requestOf(url: string, { method = 'GET', headers, body, signal }: FetchOptions): EgressRequest {
  const names = new Headers(headers)
  if (method !== 'GET' && method !== 'POST') throw new TypeError(`${method} is not used with identity providers`)
  return {
    url,
    method,
    headers: Object.fromEntries(names.entries()),
    ...(body === undefined || body === null ? {} : { body: textOf(body) }),
    timeouts,
    maxBytes,
    ...(signal == null ? {} : { signal }),
  }
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('Only text and forms are sent to identity providers.')
}
