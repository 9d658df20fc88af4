/**
 * Running calls whose answer equal calls wait for. There is one flight per key and process, only its owner ends a
 * flight, and a waiter stops when its own caller disconnects. Nothing is remembered after a flight. Tested in
 * flights.test.ts.
 */
import type { AbortWatch } from '../../../../kernel/base/abort.ts'
export interface Flight<T> {
  /** Calls that wait for it. */
  waiting(): number
  /** It has an answer to share, which is on its way to the store. */
  arrived(): boolean
  /** @throws the reason of the signal */
  join(signal: AbortWatch): Promise<T | null>
  /** Resolves the waiters, with null when there is nothing to share; only the first call counts. */
  land(outcome: T | null): void
  /** Removes the flight, so that it is no longer found. */
  close(): void
}

export interface Flights<T> {
  find(id: string): Flight<T> | null
  /**
   * Makes the caller the one that others wait for; null if another call already is, or if there are too many flights.
   */
  takeOff(id: string): Flight<T> | null
  /** Calls that currently wait for the answer of another one. */
  waiting(): number
}

/** Concurrent flights; further calls are sent to their provider without one. */
const mostFlights = 10_000

export function createFlights<T>(): Flights<T> {
  const flights = new Map<string, Flight<T>>()
  let waiting = 0
  const count = (by: number): void => {
    waiting += by
  }
  return {
    waiting: () => waiting,
    find: (id) => flights.get(id) ?? null,
    takeOff: (id) => {
      if (flights.has(id) || flights.size >= mostFlights) return null
      const close = (): void => {
        if (flights.get(id) === flight) flights.delete(id)
      }
      const flight = createFlight<T>({ close, count })
      flights.set(id, flight)
      return flight
    },
  }
}

interface Holder {
  close(): void
  count(by: number): void
}

function createFlight<T>({ close, count }: Holder): Flight<T> {
  let tell: Flight<T>['land'] = () => {}
  const outcome = new Promise<T | null>((resolve) => {
    tell = resolve
  })
  let waiting = 0
  let landed: 'shared' | 'empty' | null = null
  return {
    waiting: () => waiting,
    arrived: () => landed === 'shared',
    land: (found) => {
      landed ??= found === null ? 'empty' : 'shared'
      tell(found)
    },
    join: async (signal) => {
      waiting += 1
      count(1)
      try {
        return await orAborted(outcome, signal)
      } finally {
        waiting -= 1
        count(-1)
      }
    },
    close,
  }
}

function orAborted<T>(promise: Promise<T>, signal: AbortWatch): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
