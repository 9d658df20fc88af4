/**
 * The one way background work repeats: runs never overlap, a wake during a run causes one more run, a failure is logged
 * and retried with growing pauses, and `stop` waits for the run in progress. Wakes can be gathered: work that costs a
 * transaction each time is then done once for many of them. It does not promise a period under load.
 * Tested in loop.test.ts.
 */
import type { Clock } from '../base/clock.ts'

/** The two lines a loop writes; pino's logger fits. */
export interface LoopLog {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface LoopInput {
  readonly name: string
  readonly clock: Pick<Clock, 'after'>
  readonly log: LoopLog
  /** Milliseconds of rest after a run that found nothing more to do. */
  readonly everyMs: number
  /** Milliseconds for which a wake waits for others before the run that serves them all; default 0, at once. */
  readonly gatherMs?: number
  /** One run; true means there is more to do at once. */
  readonly run: (signal: AbortSignal) => Promise<boolean>
}

export interface Loop {
  /** Runs now or when the wakes are gathered, once more after a run in progress. In a pause after a failure: nothing. */
  wake(): void
  start(): void
  stop(): Promise<void>
}

/** Milliseconds; an outage of the database must not leave a loop asleep long after it ended. */
const longestPauseMs = 5_000

export function createLoop(input: LoopInput): Loop {
  const gatherMs = input.gatherMs ?? 0
  let started = false
  let wanted = false
  let gathering = false
  let failures = 0
  let timer: { stop(): void } | null = null
  let current: Promise<void> | null = null
  let abort = new AbortController()

  const rest = (ms: number): void => {
    timer?.stop()
    timer = input.clock.after(ms, () => {
      timer = null
      begin()
    })
  }

  const failed = (error: unknown): void => {
    failures += 1
    const pauseMs = Math.min(longestPauseMs, 100 * 2 ** Math.min(failures, 10))
    input.log.warn({ err: error, loop: input.name, failures, pauseMs }, 'background work failed and will be retried')
    rest(pauseMs)
  }

  const drain = async (): Promise<void> => {
    try {
      let more = true
      while (more && started) {
        wanted = false
        more = (await input.run(abort.signal)) || (wanted && gatherMs === 0)
      }
      failures = 0
      gathering = wanted
      if (started) rest(gathering ? gatherMs : input.everyMs)
    } catch (error) {
      if (started) failed(error)
    } finally {
      current = null
    }
  }

  const begin = (): void => {
    gathering = false
    if (started && current === null) current = drain()
  }

  return {
    wake: () => {
      wanted = true
      if (!started || current !== null || failures > 0 || gathering) return
      if (gatherMs > 0) {
        gathering = true
        rest(gatherMs)
        return
      }
      timer?.stop()
      timer = null
      begin()
    },
    start: () => {
      if (started) return
      started = true
      failures = 0
      abort = new AbortController()
      begin()
    },
    stop: async () => {
      started = false
      timer?.stop()
      timer = null
      abort.abort()
      await current
    },
  }
}
