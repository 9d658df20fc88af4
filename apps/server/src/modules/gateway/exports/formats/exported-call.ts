import type { Payload, RequestSummary } from '../../schemas/request.ts'

/** One logged call to be written into a file. */
export interface ExportedCall {
  readonly call: RequestSummary
  /** IP address of the caller; null if its audit entry has none. */
  readonly ip: string | null
  /** Null if it was not requested, was not kept or has expired. */
  readonly payload: Payload | null
}

export type Pages = AsyncIterable<readonly ExportedCall[]>
