/** Kinds of evidence that a log line is. DNS and flow logs tell of no request, and DNS logs of no bytes. */
export const evidenceKinds = ['http', 'tls', 'dns', 'flow'] as const
export type EvidenceKind = (typeof evidenceKinds)[number]

/** One access as a log line tells it. Readers fill the same object again and again, so that a line costs no object. */
export interface LogRecord {
  /** Unix milliseconds. */
  at: number
  evidence: EvidenceKind
  /** As the log has it; empty where the line names none. */
  host: string
  /** TCP or UDP port of the destination; 0 where the log has none. */
  port: number
  /** Without the query, which is never kept; empty where the log has none. */
  path: string
  /** As the proxy names the user; empty where it does not. */
  user: string
  /** Address of the client; empty where the log has none. */
  client: string
  /** Bytes that the client sent; 0 where the log does not measure them. */
  up: number
  /** Bytes that the client received. */
  down: number
}

export const emptyRecord = (): LogRecord => ({
  at: 0,
  evidence: 'http',
  host: '',
  port: 0,
  path: '',
  user: '',
  client: '',
  up: 0,
  down: 0,
})

/** Takes back everything but the time, for readers that fill what their line has. */
export function clearRecord(record: LogRecord): void {
  record.host = ''
  record.port = 0
  record.path = ''
  record.user = ''
  record.client = ''
  record.up = 0
  record.down = 0
}

/** `header`: a line that says how others are read, or a comment. It is no line of the log. */
export type LineOutcome = 'record' | 'header' | 'failed'

/** Reads the lines of one log in their order. */
export interface LineReader {
  /** @throws FormatFault where a header shows that the log cannot be read at all */
  read(line: string, record: LogRecord): LineOutcome
}

export interface ReaderOptions {
  /** IANA zone of times that have none; null where the caller named none. */
  readonly zone: string | null
  /** As the caller wrote it: a column map, or the order of the fields. */
  readonly columns: string | null
}

/** The log as a whole cannot be read. The message is for its sender. */
export class FormatFault extends Error {
  /** The query parameter that would help; null where none does. */
  readonly parameter: 'tz' | 'columns' | null

  constructor(message: string, parameter: 'tz' | 'columns' | null = null) {
    super(message)
    this.name = 'FormatFault'
    this.parameter = parameter
  }
}
