/**
 * The relay moves committed outbox rows to the event log and numbers them there: a contiguous `sequence` per tenant and
 * channel and one `position` over all. It takes only rows of transactions older than every open one, so a late commit
 * is never passed over; one relay works at a time, whichever instance it is on. It promises no time. Tested in relay.test.ts.
 */

import type { Clock } from '../base/clock.ts'
import type { Database, SystemTx } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import { isOurTurn, takeTurn } from '../db/turn.ts'
import type { Activity } from '../lifecycle/activity.ts'
import { createLoop, type LoopLog } from '../lifecycle/loop.ts'
import type { Meter } from '../observe/meter.ts'
import { relayTurn } from './tables.ts'

export interface RelayParts {
  /** Milliseconds between polls; default 1,000. Longer where no other process writes. */
  readonly pollMs?: number
  readonly db: Pick<Database, 'system'>
  readonly clock: Clock
  readonly log: LoopLog
  readonly meter: Meter
  /** Called after each batch with the channels of its events: wakes who reads them here and hints the others. */
  readonly moved: (channels: readonly string[]) => void
}

export interface Relay extends Activity {
  wake(): void
}

/** Rows per transaction: long enough to be cheap, short enough that a waiting reader sees the first within milliseconds. */
const batchSize = 1_000

/** Milliseconds until another look while rows wait for an open transaction; doubles up to the ordinary second. */
const heldPauseMs = 20

/** Milliseconds in which commits gather: one move for all of them, and still far below what a reader notices. */
const gatherMs = 20

export function createRelay(parts: RelayParts): Relay {
  let held: { stop(): void } | null = null
  let pauseMs = heldPauseMs
  const lookAgain = (): void => {
    held?.stop()
    held = parts.clock.after(pauseMs, () => loop.wake())
    pauseMs = Math.min(1_000, pauseMs * 2)
  }
  const loop = createLoop({
    name: 'event relay',
    clock: parts.clock,
    log: parts.log,
    everyMs: parts.pollMs ?? 1_000,
    gatherMs,
    run: async () => {
      const batch = await parts.db.system('event relay', (tx) => moveBatch(tx, parts.clock.iso()))
      if (batch === null) return false
      const lagMs = batch.oldest === null ? 0 : parts.clock.now() - Date.parse(batch.oldest)
      parts.meter.gauge('event_relay_lag_seconds', Math.max(0, lagMs / 1_000))
      if (batch.count > 0) {
        pauseMs = heldPauseMs
        parts.meter.count('event_relay_events_total', batch.count)
        parts.moved(batch.channels)
      }
      if (batch.count < batchSize && batch.held) lookAgain()
      return batch.count === batchSize
    },
  })
  return {
    name: 'event relay',
    wake: () => loop.wake(),
    start: async () => loop.start(),
    stop: async () => {
      held?.stop()
      await loop.stop()
    },
  }
}

interface Moved {
  readonly count: number
  readonly channels: readonly string[]
  /** Time of the oldest event moved. */
  readonly oldest: string | null
}

interface Batch extends Moved {
  /** Rows are left that an open transaction holds back. */
  readonly held: boolean
}

/** Moves one batch; null when another instance is at it. Number and move are one statement, so a crash undoes both. */
export async function moveBatch(tx: SystemTx, now: string): Promise<Batch | null> {
  // In one flush: a run costs little more than its two waits for the database, and there are dozens a second.
  const [ours, found, left] = await Promise.all([
    tx.first(takeTurn(relayTurn)),
    tx.first(moveStatement(now)),
    tx.first(sql<{ time: string }>`select time from outbox order by xid, id limit 1`),
  ])
  if (ours?.got !== true) return null
  const moved = found ?? { count: 0, channels: [], oldest: null }
  if (moved.count === batchSize) return Object.assign(moved, { held: false })
  return Object.assign(moved, { held: left !== null, oldest: moved.oldest ?? left?.time ?? null })
}

const moveStatement = (now: string) => sql<Moved>`
  with batch as materialized (
    select * from outbox
    where xid < pg_snapshot_xmin(pg_current_snapshot()) and ${isOurTurn}
    order by xid, id limit ${batchSize}),
  numbered as (
    select batch.*, row_number() over (order by xid, id) as place,
      row_number() over (partition by tenant_id, channel order by xid, id) as step
    from batch),
  channels as (
    insert into event_position as p (tenant_id, channel, sequence)
    select tenant_id, channel, count(*) from batch group by tenant_id, channel order by tenant_id, channel
    on conflict (tenant_id, channel) do update set sequence = p.sequence + excluded.sequence
    returning p.tenant_id, p.channel, p.sequence),
  sizes as (select tenant_id, channel, count(*) as size from batch group by tenant_id, channel),
  head as (
    update event_head set position = position + (select count(*) from batch)
    where id = 1 and exists (select from batch) returning position),
  logged as (
    insert into event_log (tenant_id, id, channel, type, subject, time, data, traceparent, causation_depth,
      position, sequence, logged_at)
    select n.tenant_id, n.id, n.channel, n.type, n.subject, n.time, n.data, n.traceparent, n.causation_depth,
      head.position - (select count(*) from batch) + n.place, c.sequence - s.size + n.step, ${now}::timestamptz
    from numbered n
    join channels c on c.tenant_id = n.tenant_id and c.channel = n.channel
    join sizes s on s.tenant_id = n.tenant_id and s.channel = n.channel
    cross join head
    returning 1),
  gone as (
    delete from outbox o using batch b where o.tenant_id = b.tenant_id and o.id = b.id returning 1)
  select (select count(*) from logged)::int as count,
    array(select distinct channel from batch) as channels,
    (select min(time) from batch) as oldest, (select count(*) from gone) as gone`
