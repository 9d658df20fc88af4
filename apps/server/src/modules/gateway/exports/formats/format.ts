import { callHeader, callLine } from './csv.ts'
import type { ExportedCall, Pages } from './exported-call.ts'
import { ocsfEvent } from './ocsf.ts'
import { writeParquet } from './parquet.ts'
import type { ExportFormat } from './schema.ts'

export interface Format {
  readonly mediaType: string
  readonly extension: string
  /** The format compresses its content itself, and readers do not expect a compressed file. */
  readonly isCompressed: boolean
  write(pages: Pages, withPayload: boolean): AsyncIterable<Uint8Array>
}

interface Lines {
  header(withPayload: boolean): string
  line(call: ExportedCall, withPayload: boolean): string
}

function inLines({ header, line }: Lines): Pick<Format, 'isCompressed' | 'write'> {
  return {
    isCompressed: false,
    write: async function* (pages, withPayload) {
      yield Buffer.from(header(withPayload))
      for await (const calls of pages) yield Buffer.from(calls.map((call) => line(call, withPayload)).join(''))
    },
  }
}

const json = (lineOf: (call: ExportedCall, withPayload: boolean) => unknown) => ({
  mediaType: 'application/x-ndjson',
  ...inLines({
    header: () => '',
    line: (call, withPayload) => `${JSON.stringify(lineOf(call, withPayload))}\n`,
  }),
})

export const formats: Readonly<Record<ExportFormat, Format>> = {
  jsonl: {
    ...json(({ call, payload }, withPayload) => (withPayload ? { ...call, payload } : call)),
    extension: 'jsonl',
  },
  ocsf: { ...json(ocsfEvent), extension: 'ocsf.jsonl' },
  csv: { mediaType: 'text/csv', extension: 'csv', ...inLines({ header: callHeader, line: callLine }) },
  parquet: {
    mediaType: 'application/vnd.apache.parquet',
    extension: 'parquet',
    isCompressed: true,
    write: writeParquet,
  },
}
