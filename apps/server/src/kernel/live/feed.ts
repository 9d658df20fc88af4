/**
 * Tells every instance that something it holds in memory has changed. A change is dispatched in this process right
 * after its commit and in every other one within a second, at least once; handlers must bear repetition. Between
 * changes of different keys there is no order. Tested in feed.test.ts.
 */

import type { TenantId } from '../access/actor.ts'
import type { Clock } from '../base/clock.ts'
import type { Random } from '../crypto/random.ts'
import type { Database } from '../db/port.ts'
import type { RecordContext } from '../db/recorders.ts'
import { json, type Sql, sql } from '../db/sql.ts'
import { createLoop, type LoopLog } from '../lifecycle/loop.ts'

export interface Change {
  readonly id: string
  readonly tenantId: TenantId
  readonly topic: string
  readonly key: string
  readonly data: Readonly<Record<string, unknown>>
}

export type ChangeHandler = (key: string, data: Readonly<Record<string, unknown>>, tenantId: TenantId) => void

export interface LiveFeed {
  /** Calls for every change of the topic until the answer is called; a handler that throws is logged. */
  on(topic: string, handler: ChangeHandler): () => void
  /** Milliseconds since the last poll that reached the database. */
  lastContactMs(): number
  start(): Promise<void>
  stop(): Promise<void>
}

export interface LocalLiveFeed extends LiveFeed {
  /** Dispatches a change this process has just committed. */
  committed(change: Change): void
  /** Polls now; for hints from the bus. */
  wake(): void
}

export interface LiveFeedParts {
  /** Milliseconds between polls; default 1,000. Longer where no other process writes. */
  readonly pollMs?: number
  readonly db: Pick<Database, 'system'>
  readonly clock: Clock
  readonly log: LoopLog
}

/** A new change of the transaction's tenant. */
export function makeChange(
  random: Pick<Random, 'uuid'>,
  context: Pick<RecordContext, 'tenantId'>,
  fields: Pick<Change, 'topic' | 'key' | 'data'>,
): Change {
  return { id: random.uuid(), tenantId: context.tenantId, ...fields }
}

/** The statement that stores a change; its time is the database's, because instances compare it among themselves. */
export function changeInsert(change: Change): Sql {
  return sql`
    insert into change_feed (id, tenant_id, topic, key, data)
    values (${change.id}, ${change.tenantId}, ${change.topic}, ${change.key}, ${json(change.data)})`
}

/**
 * Seconds a poll reads again. A row carries the time of its insert and becomes visible at its commit, so a
 * transaction may be open this long and still be seen by everybody; statements end after ten seconds.
 */
const rereadSeconds = 30

export function createLiveFeed(parts: LiveFeedParts): LocalLiveFeed {
  const handlers = new Map<string, Set<ChangeHandler>>()
  /** Ids dispatched, with the number of the poll that was next then. */
  const seen = new Map<string, number>()
  let round = 0
  let lastContact = parts.clock.now()

  const dispatch = (change: Change): void => {
    if (seen.has(change.id)) return
    seen.set(change.id, round)
    for (const handler of handlers.get(change.topic) ?? []) {
      try {
        handler(change.key, change.data, change.tenantId)
      } catch (error) {
        parts.log.error({ err: error, topic: change.topic }, 'a handler of a live change failed')
      }
    }
  }

  const poll = async (): Promise<boolean> => {
    round += 1
    const changes = await parts.db.system('live feed', (tx) => tx.query<Change>(recentChanges))
    lastContact = parts.clock.now()
    changes.forEach(dispatch)
    forget(seen, { before: round, kept: new Set(changes.map((change) => change.id)) })
    return false
  }

  const loop = createLoop({
    name: 'live feed',
    clock: parts.clock,
    log: parts.log,
    everyMs: parts.pollMs ?? 1_000,
    run: poll,
  })
  return {
    on: (topic, handler) => {
      const set = handlers.get(topic) ?? new Set()
      handlers.set(topic, set.add(handler))
      return () => void set.delete(handler)
    },
    lastContactMs: () => parts.clock.now() - lastContact,
    committed: dispatch,
    wake: () => loop.wake(),
    // Changes before the start are in the tables that are read afterwards; only their ids are noted.
    start: async () => {
      const changes = await parts.db.system('live feed', (tx) => tx.query<Change>(recentChanges))
      lastContact = parts.clock.now()
      for (const change of changes) seen.set(change.id, round)
      loop.start()
    },
    stop: () => loop.stop(),
  }
}

const recentChanges = sql<Change>`
  select id, tenant_id as "tenantId", topic, key, data
  from change_feed
  where at > clock_timestamp() - make_interval(secs => ${rereadSeconds})
  order by at, id`

/** A change that a poll no longer returns cannot come again; one dispatched while it ran may still be on its way. */
function forget(
  seen: Map<string, number>,
  poll: { readonly before: number; readonly kept: ReadonlySet<string> },
): void {
  for (const [id, round] of seen) {
    if (round < poll.before && !poll.kept.has(id)) seen.delete(id)
  }
}
