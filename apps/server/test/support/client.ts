import type { FastifyInstance } from 'fastify'
import { secretShapes } from './secret-shapes.ts'
import { UploadBody } from './upload-body.ts'

export interface TestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely; the checker holds their form.
  readonly body: any
}

export type Check = (answer: {
  method: string
  path: string
  status: number
  headers: Readonly<Record<string, unknown>>
  body: string
}) => readonly string[]

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

/** Calls the application without a socket; every answer is held against the OpenAPI document. Paths begin after `/api/v1`. */
export class TestClient {
  readonly #app: FastifyInstance
  readonly #check: Check
  readonly token: string
  /** Credentials that are good at one address only. */
  readonly #others: Readonly<Record<string, string>>

  constructor(app: FastifyInstance, check: Check, token: string, others: Readonly<Record<string, string>> = {}) {
    this.#app = app
    this.#check = check
    this.token = token
    this.#others = others
  }

  /** The same caller, with another credential below one address. */
  alsoWith(prefix: string, token: string): TestClient {
    return new TestClient(this.#app, this.#check, this.token, { ...this.#others, [prefix]: token })
  }

  with(token: string): TestClient {
    return new TestClient(this.#app, this.#check, token)
  }

  /** The credential a call to this address carries. */
  tokenFor(url: string): string {
    return Object.entries(this.#others).find(([prefix]) => url.startsWith(prefix))?.[1] ?? this.token
  }

  get(path: string, options: CallOptions = {}): Promise<TestAnswer> {
    return this.send('GET', path, { options })
  }

  post(path: string, body?: unknown, options: CallOptions = {}): Promise<TestAnswer> {
    return this.send('POST', path, { body, options })
  }

  patch(path: string, body: unknown, options: CallOptions = {}): Promise<TestAnswer> {
    return this.send('PATCH', path, { body, options })
  }

  delete(path: string, options: CallOptions = {}): Promise<TestAnswer> {
    return this.send('DELETE', path, { options })
  }

  /** @throws Error when the answer is not as documented */
  async send(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT',
    path: string,
    what: { readonly body?: unknown; readonly options?: CallOptions },
  ): Promise<TestAnswer> {
    const url = isWhole(path) ? path : `/api/v1${path}`
    const { headers = {}, query = {} } = what.options ?? {}
    const token = this.tokenFor(url)
    const answer = await this.#app.inject({
      method,
      url,
      query: { ...query },
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(what.body === undefined ? {} : { 'content-type': contentTypeOf(what.body) }),
        ...headers,
      },
      ...(what.body === undefined ? {} : { payload: payloadOf(what.body) }),
    })
    const problems = [
      ...this.#check({
        method,
        path: url,
        status: answer.statusCode,
        headers: answer.headers,
        body: answer.payload,
      }),
      ...secretShapes(answer.payload),
    ]
    if (problems.length > 0)
      throw new Error(`${method} ${url} answered ${answer.statusCode}, not as documented:\n${problems.join('\n')}`)
    return {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
      text: answer.payload,
      body: readJson(answer.payload),
    }
  }
}

/** Ours from the root on, at an address that a standard fixes, or no path at all. */
function isWhole(path: string): boolean {
  return !path.startsWith('/') || /^\/(?:api|scim|access|ofrep|\.well-known)\//.test(path)
}

const contentTypeOf = (body: unknown): string => (body instanceof UploadBody ? body.contentType : 'application/json')

function payloadOf(body: unknown): string | Buffer {
  if (body instanceof UploadBody) return body.payload
  return typeof body === 'string' ? body : JSON.stringify(body)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
