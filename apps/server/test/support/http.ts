import { password } from './world.ts'

export interface HttpAnswer {
  readonly status: number
  /** The request that did the work: of a replayed answer the first one. */
  readonly requestId: string
  readonly replayed: boolean
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely.
  readonly data: any
  readonly errorCode: string | null
  readonly text: string
}

export interface HttpCall {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** One call to a running server; paths begin after `/api/v1`. @throws TypeError when the connection fails before the answer is complete */
export async function call(address: string, path: string, what: HttpCall = {}): Promise<HttpAnswer> {
  const answer = await fetch(`${address}/api/v1${path}`, {
    method: what.method ?? 'GET',
    headers: {
      ...(what.token === undefined ? {} : { authorization: `Bearer ${what.token}` }),
      ...(what.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...what.headers,
    },
    ...(what.body === undefined ? {} : { body: JSON.stringify(what.body) }),
    ...(what.signal === undefined ? {} : { signal: what.signal }),
  })
  const text = await answer.text()
  const body = JSON.parse(text)
  return {
    status: answer.status,
    requestId: body.meta?.request_id ?? '',
    replayed: answer.headers.get('idempotency-replayed') === 'true',
    data: body.data,
    errorCode: body.error_code ?? null,
    text,
  }
}

/** @throws Error that shows the answer */
export async function expectCall(
  address: string,
  path: string,
  what: HttpCall & { readonly status: number },
): Promise<HttpAnswer> {
  const answer = await call(address, path, what)
  if (answer.status !== what.status) {
    throw new Error(`${what.method ?? 'GET'} ${path}: expected ${what.status}, got ${answer.status}: ${answer.text}`)
  }
  return answer
}

/** An access token. */
export async function signIn(address: string, email: string, tenantId?: string): Promise<string> {
  const { data } = await expectCall(address, '/auth/login', {
    method: 'POST',
    status: 200,
    body: { email, password },
    headers: tenantId === undefined ? {} : { 'x-tenant-id': tenantId },
  })
  return data.access_token
}
