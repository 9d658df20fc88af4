export interface ProblemPart {
  readonly errorCode: string
  readonly detail: string
  /** RFC 6901 pointer into the request body, or `?name` for a query parameter. */
  readonly pointer: string | null
}

export interface ProblemFacts {
  readonly status: number
  readonly errorCode: string | null
  readonly title: string
  readonly detail: string
  readonly requestId: string | null
  readonly parts: readonly ProblemPart[]
  /** Milliseconds the server asks to wait. */
  readonly retryAfterMs: number | null
  readonly body: Readonly<Record<string, unknown>>
}

/** A refusal of the server and its reason. The message is the server's `detail`. */
export class ProblemError extends Error {
  readonly status: number
  /** For instance `GW-003`; null when something between client and server answered instead of Parapet. */
  readonly errorCode: string | null
  readonly title: string
  /** The server's log lines of this call carry it too. */
  readonly requestId: string | null
  readonly parts: readonly ProblemPart[]
  readonly retryAfterMs: number | null
  /** The whole problem document, with members that only some problems have. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(facts: ProblemFacts) {
    super(facts.detail)
    this.name = 'ProblemError'
    this.status = facts.status
    this.errorCode = facts.errorCode
    this.title = facts.title
    this.requestId = facts.requestId
    this.parts = facts.parts
    this.retryAfterMs = facts.retryAfterMs
    this.body = facts.body
  }

  /** Which fields or parameters were wrong. */
  get pointers(): readonly string[] {
    return this.parts.flatMap((part) => (part.pointer === null ? [] : [part.pointer]))
  }
}

/** No answer, or none that was complete: the network, a proxy or the process on the other side failed. */
export class ConnectionError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ConnectionError'
  }
}

export interface RefusedAnswer {
  readonly status: number
  readonly headers: Headers
}

/** Reads a problem document; a body that is none keeps the status only. `now` is Unix milliseconds. */
export function problemFrom(body: unknown, answer: RefusedAnswer, now: number): ProblemError {
  const document = isRecord(body) ? body : {}
  const title = textOr(document.title, `HTTP ${answer.status}`)
  return new ProblemError({
    status: typeof document.status === 'number' ? document.status : answer.status,
    errorCode: typeof document.error_code === 'string' ? document.error_code : null,
    title,
    detail: textOr(document.detail, title),
    requestId: typeof document.request_id === 'string' ? document.request_id : answer.headers.get('x-request-id'),
    parts: Array.isArray(document.errors) ? document.errors.filter(isRecord).map(partOf) : [],
    retryAfterMs: retryAfter(answer.headers.get('retry-after'), now),
    body: document,
  })
}

/** Milliseconds a `Retry-After` header asks for, in seconds or as a date; null without one that can be read. */
export function retryAfter(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

function partOf(part: Readonly<Record<string, unknown>>): ProblemPart {
  return {
    errorCode: textOr(part.error_code, ''),
    detail: textOr(part.detail, ''),
    pointer: typeof part.pointer === 'string' ? part.pointer : null,
  }
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
