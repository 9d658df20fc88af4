import type { Clock } from '../base/clock.ts'

export interface FakeClock extends Clock {
  /** Moves time and runs what falls due, in order. */
  advance(ms: number): void
}

interface Timer {
  at: number
  readonly run: () => void
  readonly everyMs: number | null
}

/** A clock for tests: time stands until it is moved. */
export function createFakeClock(start = Date.parse('2026-03-01T12:00:00.000Z')): FakeClock {
  let now = start
  const timers = new Set<Timer>()
  const add = (ms: number, run: () => void, everyMs: number | null): { stop(): void } => {
    const timer: Timer = { at: now + ms, run, everyMs }
    timers.add(timer)
    return { stop: () => void timers.delete(timer) }
  }
  const nextDue = (until: number): Timer | undefined =>
    [...timers].filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at)[0]
  return {
    now: () => now,
    iso: () => new Date(now).toISOString(),
    monotonic: () => now,
    after: (ms, run) => add(ms, run, null),
    every: (ms, run) => add(ms, run, ms),
    advance: (ms) => {
      const until = now + ms
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
        now = Math.max(now, timer.at)
        if (timer.everyMs === null) timers.delete(timer)
        else timer.at += timer.everyMs
        timer.run()
      }
      now = until
    },
  }
}
