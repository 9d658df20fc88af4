export interface Clock {
  /** Unix milliseconds. */
  now(): number
  /** ISO 8601 in UTC with milliseconds. */
  iso(): string
  /** Milliseconds with fraction from an arbitrary start; for durations only. */
  monotonic(): number
  /** Calls once after the delay, unless stopped first. */
  after(ms: number, run: () => void): { stop(): void }
  /** Calls again and again, never overlapping, until stopped. */
  every(ms: number, run: () => void): { stop(): void }
}

/** The machine's clock. Timers do not keep the process alive: `stop` awaits work that must finish. */
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
