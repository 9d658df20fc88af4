/**
 * The extended log file format of W3C (`#Fields:` names the columns), as IIS, Blue Coat and others write it. Times are
 * UTC as the format has it, unless the caller names another zone.
 */
import { anyTime, zoneClock } from './log-time.ts'
import { clearRecord, FormatFault, type LineReader, type LogRecord, type ReaderOptions } from './record.ts'
import { pathAt, portOf, readAuthority, readTarget } from './target.ts'
import { bytesOf, dashless, splitQuoted } from './words.ts'

const hostFields = ['cs-host', 'cs(host)', 'cs-uri-host', 'r-host', 'x-host']
const pathFields = ['cs-uri-path', 'cs-uri-stem']

interface Columns {
  readonly date: number
  readonly time: number
  readonly uri: number
  readonly host: number
  readonly path: number
  readonly port: number
  readonly user: number
  readonly client: number
  readonly up: number
  readonly down: number
  readonly count: number
}

export function w3cReader({ zone }: ReaderOptions): LineReader {
  const toUtc = zoneClock(zone ?? 'UTC')
  const words: string[] = []
  let columns: Columns | null = null
  let day = ''
  const header = (line: string): void => {
    const fields = /^#Fields:\s*(.*)$/i.exec(line)
    if (fields !== null) columns = columnsOf((fields[1] ?? '').trim().toLowerCase().split(/\s+/))
    const date = /^#Date:\s*(\d{4}-\d{2}-\d{2})/i.exec(line)
    if (date !== null) day = date[1] ?? ''
  }
  return {
    read: (line, record) => {
      if (line.startsWith('#')) {
        header(line)
        return 'header'
      }
      if (columns === null || splitQuoted(line, words) < columns.count) return 'failed'
      const date = columns.date === -1 ? day : (words[columns.date] ?? '')
      const at = anyTime(`${date} ${words[columns.time] ?? ''}`, toUtc)
      if (typeof at !== 'number') return 'failed'
      clearRecord(record)
      record.at = at
      record.evidence = 'http'
      return fill(words, columns, record) ? 'record' : 'failed'
    },
  }
}

function columnsOf(fields: readonly string[]): Columns {
  const first = (names: readonly string[]): number =>
    names.map((name) => fields.indexOf(name)).find((at) => at !== -1) ?? -1
  const columns = {
    ...{ date: fields.indexOf('date'), time: fields.indexOf('time'), uri: fields.indexOf('cs-uri') },
    ...{ host: first(hostFields), path: first(pathFields), port: first(['cs-uri-port', 'r-port']) },
    ...{ user: first(['cs-username', 'cs-auth-user']), client: fields.indexOf('c-ip') },
    ...{ up: fields.indexOf('cs-bytes'), down: fields.indexOf('sc-bytes'), count: fields.length },
  }
  if (columns.time === -1) throw new FormatFault('The #Fields of this log have no time.')
  if (columns.host === -1 && columns.uri === -1)
    throw new FormatFault(
      `The #Fields of this log name no host: one of ${[...hostFields, 'cs-uri'].join(', ')} is needed.`,
    )
  return columns
}

function fill(words: readonly string[], columns: Columns, record: LogRecord): boolean {
  const up = columns.up === -1 ? 0 : bytesOf(words[columns.up])
  const down = columns.down === -1 ? 0 : bytesOf(words[columns.down])
  if (up === null || down === null) return false
  record.up = up
  record.down = down
  record.user = columns.user === -1 ? '' : dashless(words[columns.user])
  record.client = columns.client === -1 ? '' : dashless(words[columns.client])
  const host = columns.host === -1 ? '' : dashless(words[columns.host])
  if (host === '') {
    const uri = columns.uri === -1 ? '' : dashless(words[columns.uri])
    return uri === '' || readTarget(uri, record)
  }
  readAuthority(host, record)
  if (columns.port !== -1) record.port = portOf(words[columns.port] ?? '')
  record.path = columns.path === -1 ? '' : pathAt(dashless(words[columns.path]), 0)
  return true
}
