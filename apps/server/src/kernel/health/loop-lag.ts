import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolutionMs = 20
/** A window is begun anew by the first question after so long, so that a bad minute is not remembered for days. */
const windowMs = 10_000

/** How late the event loop is: the 99th percentile of its delays in milliseconds, over the last ten to twenty seconds. */
export function createLoopLag(monotonic: () => number): () => number {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  let began = monotonic()
  return () => {
    const lag = Math.max(0, delays.percentile(99) / 1e6 - resolutionMs)
    if (monotonic() - began >= windowMs) {
      began = monotonic()
      delays.reset()
    }
    return lag
  }
}
