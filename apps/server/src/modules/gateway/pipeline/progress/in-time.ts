/**
 * The result that a step waits for may arrive after the step was given up and the call has gone on without it. Promises
 * that no code behind such a wait runs then. Tested in in-time.test.ts.
 */
import type { WithProgress } from './call-progress.ts'

type Running = WithProgress

/** Behind a wait of a step that was given up. Nobody hears of it: the runner has gone on. */
class GivenUp extends Error {}

/** Whether the step took longer than it may, so that the call is not its to change any more. */
export function isGivenUp({ progress: { settled } }: Running, n: number): boolean {
  return settled >= n
}

/**
 * Awaits the result of a step; a value that is not a promise is returned as it is.
 * @throws GivenUp when the result came too late
 */
export function inTime<T>(state: Running, n: number, work: Promise<T>): Promise<T>
export function inTime<T>(state: Running, n: number, work: T | Promise<T>): T | Promise<T>
export function inTime<T>(state: Running, n: number, work: T | Promise<T>): T | Promise<T> {
  if (!(work instanceof Promise)) return work
  return work.then(
    (found) => {
      if (isGivenUp(state, n)) throw new GivenUp()
      return found
    },
    (error: unknown) => {
      throw isGivenUp(state, n) ? new GivenUp('', { cause: error }) : error
    },
  )
}
