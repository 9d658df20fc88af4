import { combinedReader } from './combined.ts'
import { csvReader, jsonlReader } from './mapped.ts'
import { FormatFault, type LineReader, type ReaderOptions } from './record.ts'
import { route53Reader } from './route53.ts'
import { squidReader } from './squid.ts'
import { vpcFlowReader } from './vpc-flow.ts'
import { w3cReader } from './w3c.ts'
import { zeekJsonReader, zeekTsvReader } from './zeek.ts'

const readers = {
  squid: squidReader,
  combined: combinedReader,
  w3c: w3cReader,
  zeek_tsv: zeekTsvReader,
  zeek_json: zeekJsonReader,
  route53: route53Reader,
  vpc_flow: vpcFlowReader,
  csv: csvReader,
  jsonl: jsonlReader,
} as const satisfies Record<string, (options: ReaderOptions) => LineReader>

export type LogFormat = keyof typeof readers

export const logFormats = [
  ...(['squid', 'combined', 'w3c', 'zeek_tsv', 'zeek_json'] as const),
  ...(['route53', 'vpc_flow', 'csv', 'jsonl'] as const),
] as const satisfies readonly LogFormat[]

const takesColumns: ReadonlySet<LogFormat> = new Set(['vpc_flow', 'csv', 'jsonl'])
const takesZone: ReadonlySet<LogFormat> = new Set(['w3c', 'csv', 'jsonl'])

/** A reader for one log. @throws FormatFault for options that the format does not take, or lacks */
export function readerOf(format: LogFormat, options: ReaderOptions): LineReader {
  if (options.columns !== null && !takesColumns.has(format))
    throw new FormatFault(`The format ${format} names its own columns.`, 'columns')
  if (options.zone !== null && !takesZone.has(format))
    throw new FormatFault(`Times of the format ${format} have a zone of their own.`, 'tz')
  return readers[format](options)
}
