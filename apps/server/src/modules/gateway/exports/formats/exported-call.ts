import type { Payload, RequestSummary } from '../../schemas/request.ts'

/** One logged call on its way into a file. */
export interface ExportedCall {
  readonly call: RequestSummary
  /** Where it came from; null when its audit entry does not say. */
  readonly ip: string | null
  /** Null when it was not asked for, was not kept or is past its time. */
  readonly payload: Payload | null
}

export type Pages = AsyncIterable<readonly ExportedCall[]>
