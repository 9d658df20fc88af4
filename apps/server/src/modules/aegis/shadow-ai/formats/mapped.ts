/** Tables of any origin: comma-separated values with a header line, and JSON lines, by the caller's column map. */
import { type ColumnRole, readColumnMap } from './column-map.ts'
import { splitCells } from './delimited.ts'
import { anyTime, type ZoneClock, zoneClock } from './log-time.ts'
import {
  clearRecord,
  FormatFault,
  type LineOutcome,
  type LineReader,
  type LogRecord,
  type ReaderOptions,
} from './record.ts'
import { pathAt, readAuthority, readTarget } from './target.ts'
import { bytesOf, dashless } from './words.ts'
import { objectOf, textOf } from './zeek.ts'

/** The text of a column; empty where the line has none. */
type Cells = (role: ColumnRole) => string

/** A cell in quotation marks may hold the delimiter, and no line break: a line is a row. */
export function csvReader({ columns, zone }: ReaderOptions): LineReader {
  const map = readColumnMap(columns)
  const toUtc = zone === null ? null : zoneClock(zone)
  let delimiter = ','
  let at: ReadonlyMap<ColumnRole, number> | null = null
  let count = 0
  let cells: readonly string[] = []
  const cell: Cells = (role) => {
    const position = at?.get(role)
    return position === undefined ? '' : dashless(cells[position])
  }
  const header = (line: string): void => {
    delimiter = likelyDelimiter(line)
    const names = splitCells(line.replace(/^\uFEFF/, ''), delimiter)?.map((name) => name.trim()) ?? []
    const missing = [...map.values()].filter((column) => !names.includes(column))
    if (missing.length > 0)
      throw new FormatFault(`The table has no column ${missing.map((name) => `"${name}"`).join(', ')}.`, 'columns')
    at = new Map([...map].map(([role, column]) => [role, names.indexOf(column)]))
    count = names.length
  }
  return {
    read: (line, record) => {
      if (at === null) {
        header(line)
        return 'header'
      }
      const split = splitCells(line, delimiter)
      if (split === null || split.length !== count) return 'failed'
      cells = split
      return fill(cell, toUtc, record)
    },
  }
}

export function jsonlReader({ columns, zone }: ReaderOptions): LineReader {
  const paths = new Map([...readColumnMap(columns)].map(([role, column]) => [role, column] as const))
  const toUtc = zone === null ? null : zoneClock(zone)
  return {
    read: (line, record) => {
      const value = objectOf(line)
      if (value === null) return 'failed'
      return fill((role) => dashless(textOf(memberAt(value, paths.get(role)))), toUtc, record)
    },
  }
}

/** A member by its name, or by a path of names with dots. */
function memberAt(value: Readonly<Record<string, unknown>>, path: string | undefined): unknown {
  if (path === undefined) return undefined
  if (Object.hasOwn(value, path)) return value[path]
  let found: unknown = value
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = Object.entries(found).find(([member]) => member === name)?.[1]
  }
  return found
}

const delimiters = [',', ';', '\t'] as const

function likelyDelimiter(line: string): string {
  const counts = delimiters.map((delimiter) => line.split(delimiter).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}

/** @throws FormatFault for a time without a zone */
function fill(cell: Cells, toUtc: ZoneClock | null, record: LogRecord): LineOutcome {
  const at = anyTime(cell('time').trim(), toUtc)
  if (at === 'zoneless')
    throw new FormatFault('The times of this log have no time zone: name theirs, such as tz=Europe/Berlin.', 'tz')
  const up = bytesOf(cell('bytes_up'))
  const down = bytesOf(cell('bytes_down'))
  if (at === null || up === null || down === null) return 'failed'
  clearRecord(record)
  record.at = at
  record.evidence = 'http'
  record.user = cell('user')
  record.client = cell('client')
  record.up = up
  record.down = down
  const url = cell('url')
  if (url !== '') return readTarget(url, record) ? 'record' : 'failed'
  const host = cell('host')
  if (host === '') return 'failed'
  readAuthority(host, record)
  record.path = pathAt(cell('path'), 0)
  return 'record'
}
