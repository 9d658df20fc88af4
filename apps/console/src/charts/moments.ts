/** Calls by moment, from logged calls or from hourly counts. Pure. Tested in moments.test.ts. */
export interface Moments {
  /** Unix seconds of the beginning of each bucket. */
  readonly at: readonly number[]
  readonly allowed: readonly number[]
  readonly blocked: readonly number[]
}

interface LoggedCall {
  readonly created_at: string
  readonly decision: string
}

const minute = 60

/** Calls of the last hour by the minute; minutes without a call are there with 0. @param now Unix milliseconds */
export function byMinute(calls: readonly LoggedCall[], now: number, minutes = 60): Moments {
  const last = Math.floor(now / 1000 / minute) * minute
  const at = Array.from({ length: minutes }, (_, index) => last - (minutes - 1 - index) * minute)
  const allowed = at.map(() => 0)
  const blocked = at.map(() => 0)
  for (const { created_at, decision } of calls) {
    const index = (Math.floor(Date.parse(created_at) / 1000 / minute) * minute - (at[0] ?? 0)) / minute
    const counts = decision === 'blocked' ? blocked : allowed
    if (counts[index] !== undefined) counts[index] += 1
  }
  return { at, allowed, blocked }
}

interface Counted {
  readonly at: string
  readonly requests: number
  readonly blocked: number
}

/** Hourly or daily counts, those of real and of the offline provider together, with gaps filled. */
export function byCount(series: readonly Counted[], { from, to, step }: Range): Moments {
  const first = Math.floor(from / 1000 / step) * step
  const length = Math.floor((Math.floor(to / 1000) - first) / step) + 1
  const at = Array.from({ length }, (_, index) => first + index * step)
  const allowed = at.map(() => 0)
  const blocked = at.map(() => 0)
  for (const { at: start, requests, blocked: stopped } of series) {
    const index = Math.floor((Date.parse(start) / 1000 - first) / step)
    if (allowed[index] === undefined || blocked[index] === undefined) continue
    allowed[index] += requests - stopped
    blocked[index] += stopped
  }
  return { at, allowed, blocked }
}

export interface Range {
  /** Unix milliseconds. */
  readonly from: number
  readonly to: number
  /** Seconds of a bucket. */
  readonly step: number
}

/** The sentence under the chart. */
export function sayMoments({ allowed, blocked }: Moments, span: string): string {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  const [passed, stopped] = [sum(allowed), sum(blocked)]
  if (passed + stopped === 0) return `No calls in ${span}.`
  const share = Math.round((stopped / (passed + stopped)) * 100)
  return `${passed + stopped} calls in ${span}: ${passed} went through, ${stopped} blocked (${share} %).`
}
