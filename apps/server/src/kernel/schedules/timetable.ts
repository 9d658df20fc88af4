/**
 * Times of a schedule: a cron expression in a time zone, or a period. Pure. Cron is that of the croner library with five
 * fields, in the rules of Vixie cron for daylight saving: an expression that names its hours and minutes (`30 2 * * *`)
 * runs once on every day, at the first valid time after a gap and at the first of two equal times; one with `*` or a step
 * in its hours or minutes follows the clock on the wall of real time: nothing in a gap, and both passes of a repeated
 * hour. Tested in timetable.test.ts.
 */
import { Cron } from 'croner'
import { isTimeZone } from '../base/time-zone.ts'
import { apiErrors } from '../errors/errors.ts'

export interface CronTiming {
  /** Five fields: minute, hour, day of month, month, day of week. */
  readonly cron: string
  /** IANA name. */
  readonly timeZone: string
}

export interface PeriodTiming {
  /** Milliseconds between two runs. */
  readonly everyMs: number
}

export type Timing = CronTiming | PeriodTiming

/** Longest cron expression, in characters. */
export const longestCron = 100

/** Shortest period: schedules are looked at once a second. */
const shortestPeriodMs = 1_000

/** Largest number of missed runs that is counted. */
export const mostCounted = 100

function cronOf({ cron, timeZone }: CronTiming): Cron {
  return new Cron(cron, { timezone: timeZone, mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true })
}

/** Where a body names the two, as RFC 6901 pointers. */
export interface TimingPointers {
  readonly cron: string
  readonly timeZone: string
}

/**
 * Refuses a timing that cannot be kept.
 * @throws API-030 for a cron expression that cannot be read or is never due, API-031 for an unknown time zone, both with
 * the pointer to the field; RangeError for a period under a second
 */
export function requireTiming(
  timing: Timing,
  pointers: TimingPointers = { cron: '/cron', timeZone: '/time_zone' },
): void {
  if ('everyMs' in timing) {
    if (Number.isSafeInteger(timing.everyMs) && timing.everyMs >= shortestPeriodMs) return
    throw new RangeError(`A schedule every ${timing.everyMs} ms cannot be kept`)
  }
  const { cron, timeZone } = timing
  if (!/^[A-Za-z]/.test(timeZone) || !isTimeZone(timeZone)) {
    const detail = `There is no time zone ${timeZone.slice(0, 60)}. Use an IANA name, such as Europe/Berlin.`
    throw apiErrors.badTimeZone({ what: detail }).at([{ detail, pointer: pointers.timeZone }])
  }
  const fault = cronFault({ cron, timeZone })
  if (fault === null) return
  const detail = `This is no cron expression of five fields: ${fault}`
  throw apiErrors.badCron({ what: detail }).at([{ detail, pointer: pointers.cron }])
}

function cronFault(timing: CronTiming): string | null {
  if (timing.cron.length > longestCron) return `it has more than ${longestCron} characters.`
  if (!/^\S+(?: +\S+){4}$/.test(timing.cron)) return 'it needs minute, hour, day of month, month and day of week.'
  try {
    return cronOf(timing).nextRun() === null ? 'it is never due.' : null
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    return `${said.replace(/^\w+: /, '').replace(/\.$/, '')}.`
  }
}

/** The next runs after a moment, for people who look at a schedule. Unix milliseconds. */
export function nextRuns(timing: Timing, after: number, count: number): readonly number[] {
  if ('everyMs' in timing) return Array.from({ length: count }, (_, index) => after + (index + 1) * timing.everyMs)
  return cronOf(timing)
    .nextRuns(count, new Date(after))
    .map((run) => run.getTime())
}

/** The first run after a moment in Unix milliseconds; null where there is none any more. */
export function nextRun(timing: Timing, after: number): number | null {
  return nextRuns(timing, after, 1)[0] ?? null
}

export interface DueRuns {
  /** Oldest first, the newest 100 at most. */
  readonly runs: readonly number[]
  readonly nextAt: number | null
}

/** The runs from the one that was awaited until now, and the one to await next. Unix milliseconds. */
export function dueRuns(timing: Timing, awaited: number, now: number): DueRuns {
  if ('everyMs' in timing) return duePeriods(timing, awaited, now)
  const cron = cronOf(timing)
  const past = cron.previousRuns(mostCounted, new Date(now + 1)).map((run) => run.getTime())
  const runs = past.filter((run) => run >= awaited && run <= now).reverse()
  // Where the rules of a zone have changed since, the awaited time may be none any more; it was promised all the same.
  return { runs: runs.length > 0 ? runs : [awaited], nextAt: cron.nextRun(new Date(now))?.getTime() ?? null }
}

function duePeriods({ everyMs }: PeriodTiming, awaited: number, now: number): DueRuns {
  const count = Math.floor((now - awaited) / everyMs) + 1
  const counted = Math.min(count, mostCounted)
  const runs = Array.from({ length: counted }, (_, index) => awaited + (count - counted + index) * everyMs)
  return { runs, nextAt: awaited + count * everyMs }
}
