/** Times of logs, as Unix milliseconds. Tested in log-time.test.ts. */

/** Times outside of these bounds are misread numbers, not times of a log. */
const earliest = Date.UTC(2000, 0, 1)
const latest = Date.UTC(2100, 0, 1)

export const isPlausible = (at: number): boolean => at >= earliest && at < latest

/** Seconds since 1970, with a fraction; null for other text. */
export function epochSeconds(text: string): number | null {
  const at = Number(text) * 1_000
  return isPlausible(at) ? Math.floor(at) : null
}

const months: ReadonlyMap<string, number> = new Map(
  ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].map((name, at) => [name, at]),
)
const commonTime = /^(\d{2})\/([A-Z][a-z]{2})\/(\d{4}):(\d{2}):(\d{2}):(\d{2}) ([+-])(\d{2})(\d{2})$/

/** `10/Oct/2000:13:55:36 -0700`, as the common log format has it; null for other text. */
export function commonLogTime(text: string): number | null {
  const match = commonTime.exec(text)
  if (match === null) return null
  const [, day, name = '', year, hour, minute, second, sign, hours, minutes] = match
  const month = months.get(name)
  if (month === undefined) return null
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000)
  return Date.UTC(Number(year), month, Number(day), Number(hour), Number(minute), Number(second)) - offset
}

const isoTime =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s?(Z|UTC|[+-]\d{2}:?\d{2})?$/

export type ReadTime = number | 'zoneless' | null

/**
 * Seconds, milliseconds or microseconds since 1970, ISO 8601 with or without an offset, or the time of the common log
 * format. A time without an offset is read in the zone.
 * @returns `zoneless` for a time without an offset where no zone is given; null for text that is no time
 */
export function anyTime(text: string, toUtc: ZoneClock | null): ReadTime {
  if (/^\d{9,16}(?:\.\d+)?$/.test(text)) return epochOf(Number(text))
  const match = isoTime.exec(text)
  if (match === null) return commonLogTime(text)
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = match
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second), ms)
  if (new Date(local).getUTCDate() !== Number(day)) return null
  if (zone !== undefined) return local - offsetOf(zone)
  return toUtc === null ? 'zoneless' : toUtc(local)
}

function epochOf(value: number): number | null {
  const scale = value < 1e11 ? 1_000 : value < 1e14 ? 1 : 0.001
  const at = Math.floor(value * scale)
  return isPlausible(at) ? at : null
}

function offsetOf(zone: string): number {
  if (zone === 'Z' || zone === 'UTC') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return minutes * (zone.startsWith('-') ? -60_000 : 60_000)
}

/** From the clock of a zone, written as if it were UTC, to Unix milliseconds. */
export type ZoneClock = (local: number) => number

const quarterHour = 900_000
const mostKept = 10_000

/**
 * The offset is looked up once for each quarter of an hour. Of a time that comes twice when daylight saving ends the first
 * is taken; a time that it skips is read by the offset before.
 * @param zone IANA name, known
 */
export function zoneClock(zone: string): ZoneClock {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  const offsetAt = (utc: number): number => {
    const parts = Object.fromEntries(format.formatToParts(utc).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(utc / 1_000) * 1_000
  }
  const kept = new Map<number, number>()
  return (local) => {
    const quarter = Math.floor(local / quarterHour)
    const known = kept.get(quarter)
    if (known !== undefined) return local - known
    if (kept.size >= mostKept) kept.clear()
    const before = offsetAt(local - 86_400_000)
    const offset = offsetAt(local - before) === before ? before : offsetAt(local - offsetAt(local - before))
    kept.set(quarter, offset)
    return local - offset
  }
}
