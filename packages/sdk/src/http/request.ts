export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type QueryValue = string | number | boolean | null | undefined

export interface CallOptions {
  readonly query?: Readonly<Record<string, QueryValue>>
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Entity tag of the version the change was decided on; another version is then refused with API-012. */
  readonly ifMatch?: string
  /** Default for POST: a random one, so that a call repeated after a lost answer is done once. */
  readonly idempotencyKey?: string
}

export interface Request extends CallOptions {
  readonly method: Method
  /** Below `/api/v1`, beginning with a slash. */
  readonly path: string
  readonly body?: unknown
  readonly accept?: string
}

/** The address of a call. Query values that are null or undefined are left out. */
export function addressOf(baseUrl: string, request: Pick<Request, 'path' | 'query'>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== null && value !== undefined) query.set(name, String(value))
  }
  const text = query.toString()
  return `${baseUrl}/api/v1${request.path}${text === '' ? '' : `?${text}`}`
}

/** Arguments of `fetch`. */
export function fetchInput(request: Request, credential: Readonly<Record<string, string>>): RequestInit {
  const { body, ifMatch, idempotencyKey, signal } = request
  return {
    method: request.method,
    headers: {
      accept: request.accept ?? 'application/json',
      ...credential,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...request.headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }
}

/** 128 random bits; browsers give `randomUUID` to secure pages only, this to all. */
export function randomKey(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
