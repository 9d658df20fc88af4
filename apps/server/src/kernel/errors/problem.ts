/**
 * The one error type that may leave a handler. It carries everything the problem body needs and nothing secret;
 * anything else that is thrown becomes `API-008` and is written to the log only. Tested in problem.test.ts.
 */
export interface ProblemPart {
  readonly error_code: string
  readonly detail: string
  /** RFC 6901 pointer into the body, or `?name` for a query parameter. */
  readonly pointer?: string
}

export class ProblemError extends Error {
  readonly code: string
  readonly status: number
  readonly title: string
  headers: Readonly<Record<string, string>> = {}
  members: Readonly<Record<string, unknown>> = {}
  parts: readonly ProblemPart[]

  constructor(code: string, status: number, title: string, detail: string) {
    super(detail)
    this.name = 'ProblemError'
    this.code = code
    this.status = status
    this.title = title
    this.parts = [{ error_code: code, detail }]
  }

  /** Adds answer headers, for instance `Retry-After`. */
  withHeaders(headers: Readonly<Record<string, string>>): this {
    this.headers = { ...this.headers, ...headers }
    return this
  }

  /** Adds extension members beside the standard ones (RFC 9457 section 3.2). */
  withMembers(members: Readonly<Record<string, unknown>>): this {
    this.members = { ...this.members, ...members }
    return this
  }

  /** Says which fields were wrong; each part keeps this error's code. */
  at(parts: readonly { readonly detail: string; readonly pointer?: string }[]): this {
    if (parts.length > 0) this.parts = parts.map((part) => ({ error_code: this.code, ...part }))
    return this
  }

  causedBy(cause: unknown): this {
    this.cause = cause
    return this
  }
}
