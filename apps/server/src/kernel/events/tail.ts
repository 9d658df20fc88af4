/**
 * Reads the event log behind the newest position and hands the events to this process's subscribers, in order and
 * without holes: what a wake or the bus misses, the next poll finds. It starts at the present; older events are read
 * from the table by whoever wants them. Tested in relay.test.ts.
 */
import type { Database } from '../db/port.ts'
import { createLoop, type LoopLog } from '../jobs/loop.ts'
import type { Clock } from '../kernel.ts'
import type { LoggedEvent } from '../module.ts'
import { eventsAfter, headPosition } from './log.ts'

export interface EventTail {
  /** Calls with every further batch until the answer is called. */
  subscribe(reader: (events: readonly LoggedEvent[]) => void): () => void
  /** Reads now. */
  wake(): void
  /** Everything up to here has been handed out. */
  position(): number
  start(): Promise<void>
  stop(): Promise<void>
}

export interface TailParts {
  /** Milliseconds between looks that nobody asked for; default 1,000. Longer where no other process writes. */
  readonly pollMs?: number
  readonly db: Pick<Database, 'system'>
  readonly clock: Pick<Clock, 'after'>
  readonly log: LoopLog
}

const pageSize = 500

export function createTail(parts: TailParts): EventTail {
  const readers = new Set<(events: readonly LoggedEvent[]) => void>()
  let position = 0

  const deliver = (events: readonly LoggedEvent[]): void => {
    for (const reader of readers) {
      try {
        reader(events)
      } catch (error) {
        parts.log.error({ err: error }, 'a reader of the event log failed')
      }
    }
  }

  const run = async (): Promise<boolean> => {
    const events = await parts.db.system('event tail', (tx) => tx.query(eventsAfter(position, pageSize)))
    const last = events.at(-1)
    if (last === undefined) return false
    position = last.position
    deliver(events)
    return events.length === pageSize
  }

  const loop = createLoop({
    name: 'event tail',
    clock: parts.clock,
    log: parts.log,
    everyMs: parts.pollMs ?? 1_000,
    run,
  })
  return {
    subscribe: (reader) => {
      readers.add(reader)
      return () => void readers.delete(reader)
    },
    wake: () => loop.wake(),
    position: () => position,
    start: async () => {
      const head = await parts.db.system('event tail', (tx) => tx.first(headPosition))
      position = head?.position ?? 0
      loop.start()
    },
    stop: () => loop.stop(),
  }
}
