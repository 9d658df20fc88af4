/**
 * Reads the event log behind the newest position and hands the events to this process's readers, in order and without
 * holes: the next poll finds events that a wake or the bus missed. Promises to read only events of tenants that have a
 * follower here, and nothing at all while there is none. It starts at the present; readers of older events read the
 * table. Tested in tail.test.ts and relay.test.ts.
 */

import type { TenantId } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/port.ts'
import { createLoop, type LoopLog } from '../lifecycle/loop.ts'
import type { LoggedEvent } from './catalogue/logged-event.ts'
import { eventsOf, headPosition } from './log.ts'

export interface TailReader {
  /** Tenants whose events it follows; asked before each look. */
  tenants(): Iterable<TenantId>
  /** Every further batch, also of tenants that others follow. */
  read(events: readonly LoggedEvent[]): void
}

export interface EventTail {
  /** Until the answer is called. */
  subscribe(reader: TailReader): () => void
  /**
   * Resolves when the look under way is over. A reader that begins to follow a tenant and waits for this gets every
   * event that is logged from then on; a look that began before would pass over them.
   */
  settled(): Promise<void>
  /** Reads now. */
  wake(): void
  /** Everything up to here has been handed out. */
  position(): number
  start(): Promise<void>
  stop(): Promise<void>
}

export interface TailParts {
  /** Milliseconds between polls; default 1,000. Longer where no other process writes. */
  readonly pollMs?: number
  readonly db: Pick<Database, 'system'>
  readonly clock: Pick<Clock, 'after'>
  readonly log: LoopLog
}

const pageSize = 500

/** A reader that fails keeps none of the others from reading. */
function deliver(events: readonly LoggedEvent[], readers: Iterable<TailReader>, log: LoopLog): void {
  for (const reader of readers) {
    try {
      reader.read(events)
    } catch (error) {
      log.error({ err: error }, 'a reader of the event log failed')
    }
  }
}

export function createTail(parts: TailParts): EventTail {
  const readers = new Set<TailReader>()
  let position = 0
  let looking: Promise<unknown> = Promise.resolve()

  const followed = (): readonly TenantId[] => [...new Set([...readers].flatMap((reader) => [...reader.tenants()]))]

  const look = async (): Promise<boolean> => {
    const tenants = followed()
    // The head is read first: the next look finds events logged after it.
    const [head, events] = await parts.db.system('event tail', (tx) =>
      Promise.all([
        tx.first(headPosition),
        tenants.length === 0 ? [] : tx.query(eventsOf(tenants, { position, limit: pageSize })),
      ]),
    )
    const full = events.length === pageSize
    const last = events.at(-1)?.position ?? position
    position = full ? last : Math.max(last, head?.position ?? 0)
    if (events.length > 0) deliver(events, readers, parts.log)
    return full
  }

  const loop = createLoop({
    name: 'event tail',
    clock: parts.clock,
    log: parts.log,
    everyMs: parts.pollMs ?? 1_000,
    run: () => {
      const run = look()
      looking = run.catch(() => {})
      return run
    },
  })
  return {
    subscribe: (reader) => {
      readers.add(reader)
      return () => void readers.delete(reader)
    },
    settled: async () => void (await looking),
    wake: () => {
      if (followed().length > 0) loop.wake()
    },
    position: () => position,
    start: async () => {
      const head = await parts.db.system('event tail', (tx) => tx.first(headPosition))
      position = head?.position ?? 0
      loop.start()
    },
    stop: () => loop.stop(),
  }
}
