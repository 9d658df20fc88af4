/** How long slow clients are waited for. */
export interface Patience {
  /** Milliseconds in which the headers of a request have to be there. */
  readonly headersMs: number
  /** Milliseconds in which all of a request has to be there. */
  readonly requestMs: number
  /** Milliseconds without a byte in either direction, also of an unread answer; not while an answer is made. */
  readonly silenceMs: number
  /** Milliseconds between checks for late requests; a limit may be exceeded by this much. */
  readonly lookEveryMs: number
}

export const defaultPatience: Patience = {
  headersMs: 15_000,
  requestMs: 30_000,
  silenceMs: 60_000,
  lookEveryMs: 5_000,
}
