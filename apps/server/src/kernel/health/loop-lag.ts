import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolutionMs = 20
/** A window is begun anew by the first question after so long, so that a bad minute is not remembered for days. */
const windowMs = 10_000
/** One or two stops in a window are not late: a start, a compilation or a full collection is over by itself. */
const mostStops = 2

/**
 * How late the event loop is: the 99th percentile of its delays in milliseconds, over the last ten to twenty seconds but
 * not before the first question, and never one of the two longest. A young window has few delays, so that one of them
 * would be its 99th percentile.
 */
export function createLoopLag(monotonic: () => number): () => number {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  let began: number | null = null
  return () => {
    const least = Math.min(99, 100 * (1 - mostStops / delays.count))
    const lag = delays.count > mostStops ? Math.max(0, delays.percentile(least) / 1e6 - resolutionMs) : 0
    if (began === null) delays.enable()
    if (began === null || monotonic() - began >= windowMs) {
      began = monotonic()
      delays.reset()
    }
    return lag
  }
}
