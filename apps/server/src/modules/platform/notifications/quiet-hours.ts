/**
 * Quiet hours in the time zone of a person: from one time of day to another, over midnight too. Times are compared on the
 * clock on the wall, so that daylight saving changes neither end; an end that the wall clock skips comes at the first
 * moment after the gap. Pure. Tested in quiet-hours.test.ts.
 */

export interface QuietHours {
  /** `HH:MM`, 24 hours. */
  readonly start: string
  readonly end: string
  /** IANA name. */
  readonly time_zone: string
}

const minuteMs = 60_000
const dayMinutes = 1_440

/**
 * The moment at which a message may be sent: `atMs` itself outside of the quiet hours, else their end.
 * @returns Unix milliseconds
 */
export function sendableAt(hours: QuietHours | null, atMs: number): number {
  if (hours === null || !isQuiet(hours, atMs)) return atMs
  // The end is at most a day away, and a change of the clock moves it by minutes; coarse steps find the first loud quarter.
  const quarter = 15 * minuteMs
  let loud = Math.floor(atMs / quarter) * quarter + quarter
  while (isQuiet(hours, loud) && loud - atMs < 2 * dayMinutes * minuteMs) loud += quarter
  let exact = loud
  while (exact - minuteMs > atMs && !isQuiet(hours, exact - minuteMs)) exact -= minuteMs
  return exact
}

export function isQuiet({ start, end, time_zone: zone }: QuietHours, atMs: number): boolean {
  const [from, to] = [minutesIn(start), minutesIn(end)]
  const now = wallMinutes(zone, atMs)
  return from <= to ? now >= from && now < to : now >= from || now < to
}

const minutesIn = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

const formats = new Map<string, Intl.DateTimeFormat>()

function wallMinutes(zone: string, atMs: number): number {
  const known = formats.get(zone)
  const format =
    known ?? new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  if (known === undefined) formats.set(zone, format)
  return minutesIn(format.format(atMs))
}
