import type { Clock } from '../kernel.ts'

/** The machine's clock. Timers do not keep the process alive: what must run to its end is awaited in `stop`. */
export function systemClock(): Clock {
  let lastMs = -1
  let lastIso = ''
  return {
    now: () => Date.now(),
    iso: () => {
      const now = Date.now()
      if (now !== lastMs) {
        lastMs = now
        lastIso = new Date(now).toISOString()
      }
      return lastIso
    },
    monotonic: () => performance.now(),
    after: (ms, run) => {
      const timer = setTimeout(run, ms)
      timer.unref()
      return { stop: () => clearTimeout(timer) }
    },
    every: (ms, run) => {
      const timer = setInterval(run, ms)
      timer.unref()
      return { stop: () => clearInterval(timer) }
    },
  }
}
