import { divideHalfUp, type Hundredths } from './fixed-point.ts'
import { instant } from './instant.ts'

const MS_PER_HOUR = 3_600_000
const HUNDREDTHS_PER_TENTH = 10

export interface PastScore {
  readonly created_at: string
  readonly composite: Hundredths
}

/**
 * The earlier score a trend is measured from: the last one at or before `at` less the window, else the oldest;
 * `null` when there is none.
 */
export function trendReference<P extends PastScore>(past: readonly P[], at: string, windowHours: number): P | null {
  const edge = instant(at) - windowHours * MS_PER_HOUR
  const byTime = past.toSorted((a, b) => instant(a.created_at) - instant(b.created_at))
  return byTime.findLast((score) => instant(score.created_at) <= edge) ?? byTime[0] ?? null
}

/**
 * Change from `before` to `now` in points with a sign and one decimal, such as `+2.3`, `-0.4`, `+0.0`. Halves go
 * away from zero, so that a loss reads like the gain of the same size; no change, or no earlier score, is `+0.0`.
 */
export function trend(now: Hundredths, before: Hundredths | null): string {
  const change = before === null ? 0 : now - before
  const tenths = divideHalfUp(Math.abs(change), HUNDREDTHS_PER_TENTH)
  const sign = change < 0 && tenths > 0 ? '-' : '+'
  return `${sign}${Math.floor(tenths / 10)}.${tenths % 10}`
}
