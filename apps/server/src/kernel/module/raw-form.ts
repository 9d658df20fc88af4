import type { TSchema } from 'typebox'
import type { ProblemError } from '../errors/problem.ts'

export interface RawFacts {
  readonly requestId: string
  readonly path: string
  /** Of this installation. */
  readonly publicUrl: string
}

/**
 * The form of answers that a vendor fixed: neither answers nor errors wear the envelope. It holds for every address below
 * `under`, also for those that do not exist, because a client that speaks the form can read nothing else.
 */
export interface RawForm {
  /** Path below the module's prefix. */
  readonly under: string
  /** Media type of every answer, errors included; default `application/json`. */
  readonly mediaType?: string
  /** Whether the standard wants a caller's own `X-Request-ID` back; ours stays in the log. */
  readonly echoesRequestId?: boolean
  /** Pages of any origin may ask, with a token they were given: no cookie counts here. */
  readonly crossOrigin?: boolean
  /** Of every error body; for the documents. */
  readonly errorSchema: TSchema
  error(problem: ProblemError, facts: RawFacts): RawError
}

export interface RawError {
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}
