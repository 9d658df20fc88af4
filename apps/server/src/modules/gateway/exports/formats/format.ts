import type { Payload, RequestSummary } from '../../schemas/request.ts'
import type { ExportFormat } from '../schema.ts'
import { callHeader, callLine } from './csv.ts'
import { ocsfEvent } from './ocsf.ts'

/** One logged call on its way into a file. */
export interface ExportedCall {
  readonly call: RequestSummary
  /** Where it came from; null when its audit entry does not say. */
  readonly ip: string | null
  /** Null when it was not asked for, was not kept or is past its time. */
  readonly payload: Payload | null
}

export interface Format {
  readonly mediaType: string
  readonly extension: string
  header(withPayload: boolean): string
  line(call: ExportedCall, withPayload: boolean): string
}

const lines = { mediaType: 'application/x-ndjson', extension: 'jsonl', header: () => '' } as const

export const formats: Readonly<Record<ExportFormat, Format>> = {
  jsonl: {
    ...lines,
    line: ({ call, payload }, withPayload) => `${JSON.stringify(withPayload ? { ...call, payload } : call)}\n`,
  },
  ocsf: {
    ...lines,
    extension: 'ocsf.jsonl',
    line: (call, withPayload) => `${JSON.stringify(ocsfEvent(call, withPayload))}\n`,
  },
  csv: { mediaType: 'text/csv', extension: 'csv', header: callHeader, line: callLine },
}
