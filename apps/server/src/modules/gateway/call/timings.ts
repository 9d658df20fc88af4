/** Times of a call in milliseconds. */
export interface CallTimings {
  /** Time waited for providers. */
  readonly upstreamMs: number
  /** Part of it: time waited without a running request. */
  readonly queueMs: number
  readonly ttftMs: number | null
  /** End time of each step, from the monotonic clock. */
  readonly stepEnds: number[]
}

export interface WithTimings {
  readonly timings: CallTimings
}

export function noTimings(): CallTimings {
  return { upstreamMs: 0, queueMs: 0, ttftMs: null, stepEnds: [] }
}
