import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { errors } from '../declared/errors.ts'
import type { Interval } from '../declared/schemas.ts'

const MS_PER_DAY = 86_400_000

/** Days for which every snapshot is kept, and one of each hour; one of each day stays without end. */
export const rawDays = 90
export const hourlyDays = 400

/** Days before now an interval can reach (`null`: all history), and the default days when no range is given. */
const spans = {
  raw: { widthMs: 0, keptDays: rawDays, defaultDays: 7 },
  '1h': { widthMs: 3_600_000, keptDays: hourlyDays, defaultDays: 30 },
  '1d': { widthMs: MS_PER_DAY, keptDays: null, defaultDays: 365 },
  '1w': { widthMs: 7 * MS_PER_DAY, keptDays: null, defaultDays: 1_095 },
} as const satisfies Record<Interval, { widthMs: number; keptDays: number | null; defaultDays: number }>

/** The first Monday after 1970 began, 00:00 UTC: hours, days and ISO weeks all have a border there. */
export const bucketOriginMs = 4 * MS_PER_DAY

/** Unix milliseconds, `from` included and `to` not. */
export interface HistoryRange {
  readonly fromMs: number
  readonly toMs: number
  /** Milliseconds of a bucket; 0 = every snapshot by itself. */
  readonly widthMs: number
}

export interface HistoryQuery {
  readonly interval: Interval
  readonly from?: string
  readonly to?: string
}

/** The range a query means at a moment (Unix milliseconds), begun at the border of a bucket. @throws TRUST-006 */
export function historyRange({ interval, from, to }: HistoryQuery, nowMs: number): HistoryRange {
  const { widthMs, keptDays, defaultDays } = spans[interval]
  // Without an explicit end, the current millisecond is included.
  const toMs = to === undefined ? nowMs + 1 : momentOf(to)
  const fromMs = from === undefined ? toMs - defaultDays * MS_PER_DAY : momentOf(from)
  if (fromMs >= toMs)
    throw errors.historyRange({ what: 'The range ends before it begins: `from` must be before `to`.' })
  if (keptDays !== null && fromMs < nowMs - keptDays * MS_PER_DAY) {
    throw errors.historyRange({
      what: `The interval ${interval} reaches back ${keptDays} days. Ask for a coarser one.`,
    })
  }
  return { fromMs: bucketStart(fromMs, widthMs), toMs, widthMs }
}

export function bucketStart(moment: number, widthMs: number): number {
  if (widthMs === 0) return moment
  return Math.floor((moment - bucketOriginMs) / widthMs) * widthMs + bucketOriginMs
}

/** The start of the bucket in which a column of times lies. */
export function bucketOf(moment: SqlPart, widthMs: number): SqlPart {
  return sql`date_bin(make_interval(secs => ${widthMs / 1_000}), ${moment}, ${isoOf(bucketOriginMs)}::timestamptz)`
}

export function isoOf(moment: number): string {
  return new Date(moment).toISOString()
}

/** There is no score outside 1970 to 9999, and the database takes no years of another form. */
const lastMomentMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

function momentOf(text: string): number {
  const moment = Date.parse(text)
  if (Number.isNaN(moment)) throw errors.historyRange({ what: `"${text}" is not a moment.` })
  return Math.min(Math.max(moment, 0), lastMomentMs)
}
