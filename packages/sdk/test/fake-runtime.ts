import type { Runtime } from '../src/http/runtime.ts'
import { queue } from './local-server.ts'

export interface FakeRuntime extends Runtime {
  /** Every wait that was asked for, in milliseconds. */
  readonly waits: readonly number[]
  /** The next wait, in milliseconds, that fits and that no earlier call answered. */
  asked(fits: (ms: number) => boolean): Promise<number>
  /** Moves the clock and runs what is due, in order. */
  advance(ms: number): void
}

/** A clock that stands still. With `hurry` every wait is over at once. Chance always answers `random`. */
export function fakeRuntime({ hurry = false, random = 0.5 } = {}): FakeRuntime {
  let now = Date.parse('2026-11-20T12:00:00.000Z')
  const waits: number[] = []
  const unread = queue<number>()
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  return {
    waits,
    asked: unread.take,
    now: () => now,
    random: () => random,
    after: (ms, run) => {
      waits.push(ms)
      unread.put(ms)
      const timer = { at: now + ms, run }
      timers.add(timer)
      if (hurry) queueMicrotask(() => timers.delete(timer) && run())
      return () => timers.delete(timer)
    },
    advance: (ms) => {
      const until = now + ms
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)
        if (next === undefined) break
        timers.delete(next)
        now = next.at
        next.run()
      }
      now = until
    },
  }
}
