/**
 * Zeek's conn, dns, http and ssl logs, as tab-separated values with their header (`#separator`, `#unset_field`, `#fields`)
 * or as JSON. Connections have addresses only, so they match entries that name addresses.
 */
import { anyTime, epochSeconds } from './log-time.ts'
import { clearRecord, FormatFault, type LineOutcome, type LineReader, type LogRecord } from './record.ts'
import { pathAt, portOf, readAuthority } from './target.ts'

/** The fields that are read, by Zeek's names. */
const names = [
  ...['ts', 'id.orig_h', 'id.resp_h', 'id.resp_p', 'query', 'server_name', 'host', 'uri', 'username'],
  ...['request_body_len', 'response_body_len', 'orig_bytes', 'resp_bytes'],
] as const
type Name = (typeof names)[number]
/** The text of a field; empty where it is not set. */
type Fields = (name: Name) => string

export function zeekTsvReader(): LineReader {
  let separator = '\t'
  let unset = '-'
  let empty = '(empty)'
  let at: ReadonlyMap<string, number> | null = null
  let count = 0
  let cells: readonly string[] = []
  const header = (line: string): void => {
    const words = line.split(line.startsWith('#separator') ? ' ' : separator)
    const [name, value = ''] = words
    if (name === '#separator') separator = unescaped(value)
    else if (name === '#unset_field') unset = value
    else if (name === '#empty_field') empty = value
    else if (name === '#fields') {
      at = positionsOf(words.slice(1))
      count = words.length - 1
    }
  }
  const field: Fields = (name) => {
    const position = at?.get(name)
    const cell = position === undefined ? '' : (cells[position] ?? '')
    return cell === unset || cell === empty ? '' : cell
  }
  return {
    read: (line, record) => {
      if (line.startsWith('#')) {
        header(line)
        return 'header'
      }
      if (at === null) return 'failed'
      cells = line.split(separator)
      return cells.length === count ? fill(field, record) : 'failed'
    },
  }
}

/** `\x09` and plain characters, as the first line of a log writes them. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\x([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

function positionsOf(fields: readonly string[]): ReadonlyMap<string, number> {
  const positions = new Map(fields.map((name, at) => [name, at]))
  if (!positions.has('ts')) throw new FormatFault('The #fields of this log have no ts.')
  if (!['query', 'server_name', 'host', 'id.resp_h'].some((name) => positions.has(name)))
    throw new FormatFault('The #fields of this log name no destination: conn, dns, http and ssl logs are read.')
  return positions
}

export function zeekJsonReader(): LineReader {
  return {
    read: (line, record) => {
      const value = objectOf(line)
      if (value === null) return 'failed'
      return fill((name) => textOf(value[name]), record)
    },
  }
}

export function objectOf(line: string): Readonly<Record<string, unknown>> | null {
  if (line.charCodeAt(0) !== 0x7b) return null
  try {
    return JSON.parse(line)
  } catch {
    // A line that is no JSON is counted; the parser's message about it is of no use.
    return null
  }
}

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

function fill(field: Fields, record: LogRecord): LineOutcome {
  const ts = field('ts')
  const at = epochSeconds(ts) ?? anyTime(ts, null)
  if (typeof at !== 'number') return 'failed'
  clearRecord(record)
  record.at = at
  record.client = field('id.orig_h')
  record.port = portOf(field('id.resp_p'))
  const [query, name, host] = [field('query'), field('server_name'), field('host')]
  if (query !== '') {
    record.evidence = 'dns'
    record.host = query
    record.port = 0
  } else if (name !== '') {
    record.evidence = 'tls'
    record.host = name
  } else if (host !== '') {
    const port = record.port
    record.evidence = 'http'
    readAuthority(host, record)
    record.port = port
    record.path = pathAt(field('uri'), 0)
    record.user = field('username')
  } else {
    record.evidence = 'flow'
    record.host = field('id.resp_h')
  }
  record.up = Number(field('request_body_len') || field('orig_bytes') || 0) || 0
  record.down = Number(field('response_body_len') || field('resp_bytes') || 0) || 0
  return 'record'
}
