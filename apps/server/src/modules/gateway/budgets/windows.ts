/**
 * Start times of budget windows. Calendar windows begin at midnight of a time zone, also if clocks change that night;
 * rolling ones are counted in sixtieths of their length. Calendar windows follow each other without gap or overlap.
 * Tested in windows.test.ts.
 */
export const windowKinds = ['day', 'week', 'month', 'rolling'] as const
export type WindowKind = (typeof windowKinds)[number]

export interface WindowRule {
  readonly kind: WindowKind
  /** For rolling windows only. */
  readonly hours: number | null
  /** IANA name; for calendar windows only. */
  readonly timeZone: string
}

/** Unix milliseconds. New spending is booked under `bucket`; amounts booked since `since` count. */
export interface Window {
  readonly bucket: number
  readonly since: number
  /** First instant that belongs to another bucket. */
  readonly until: number
  /** Time at which everything that counts now no longer counts. */
  readonly ends: number
}

const hourMs = 3_600_000
const slots = 60

export function windowAt(rule: WindowRule, at: number): Window {
  return rule.kind === 'rolling' ? rollingAt((rule.hours ?? 1) * hourMs, at) : calendarAt(rule, at)
}

/** A bucket counts until all of it is older than the window, so at most a sixtieth too long. */
function rollingAt(length: number, at: number): Window {
  const slot = length / slots
  const bucket = Math.floor(at / slot) * slot
  return { bucket, since: bucket - length, until: bucket + slot, ends: bucket + slot + length }
}

/** Time at which the bucket stops counting. */
export function bucketEnds(rule: WindowRule, window: Window, bucket: number): number {
  if (rule.kind !== 'rolling') return window.until
  const length = (rule.hours ?? 1) * hourMs
  return bucket + length / slots + length
}

/** A day of the calendar, without a zone. */
interface Day {
  readonly year: number
  /** 0..11 */
  readonly month: number
  readonly day: number
}

function calendarAt(rule: WindowRule, at: number): Window {
  const first = firstDay(rule, dayIn(rule.timeZone, at))
  // On a night on which clocks go back over midnight the local day repeats; the border is its first beginning.
  for (const step of [0, 1, -1]) {
    const start = beginning(rule.timeZone, moved(rule, first, step))
    const end = beginning(rule.timeZone, moved(rule, first, step + 1))
    if (start <= at && at < end) return { bucket: start, since: start, until: end, ends: end }
  }
  throw new RangeError(`No ${rule.kind} of ${rule.timeZone} holds ${at}`)
}

function firstDay({ kind }: WindowRule, day: Day): Day {
  if (kind === 'month') return { ...day, day: 1 }
  if (kind === 'day') return day
  const weekday = new Date(Date.UTC(day.year, day.month, day.day)).getUTCDay()
  return plusDays(day, -((weekday + 6) % 7))
}

function moved({ kind }: WindowRule, day: Day, steps: number): Day {
  if (kind === 'month') return dayOf(Date.UTC(day.year, day.month + steps, 1))
  return plusDays(day, kind === 'week' ? steps * 7 : steps)
}

function plusDays({ year, month, day }: Day, days: number): Day {
  return dayOf(Date.UTC(year, month, day + days))
}

function dayOf(utc: number): Day {
  const date = new Date(utc)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() }
}

const asNumber = ({ year, month, day }: Day): number => Date.UTC(year, month, day)

/** Offsets lie between −12 and +14 hours, and no change of clocks is longer than a day. */
const searchMs = 40 * hourMs

/** The first instant at which the zone's calendar shows the day or a later one. */
function beginning(timeZone: string, day: Day): number {
  const wanted = asNumber(day)
  // Whole minutes: zones have had no finer offsets since 1972.
  let before = Math.floor((wanted - searchMs) / 60_000)
  let reached = Math.floor((wanted + searchMs) / 60_000)
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2)
    if (asNumber(dayIn(timeZone, middle * 60_000)) >= wanted) reached = middle
    else before = middle
  }
  return reached * 60_000
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** @throws RangeError for an unknown time zone */
function dayIn(timeZone: string, at: number): Day {
  const format = formats.get(timeZone) ?? makeFormat(timeZone)
  const part = (type: string): number =>
    Number(format.formatToParts(at).find((candidate) => candidate.type === type)?.value)
  return { year: part('year'), month: part('month') - 1, day: part('day') }
}

function makeFormat(timeZone: string): Intl.DateTimeFormat {
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })
  formats.set(timeZone, format)
  return format
}
