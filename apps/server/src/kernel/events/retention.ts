import { notHeld } from '../data-registry/holds.ts'
import type { Database } from '../db/port.ts'
import { sql } from '../db/sql.ts'
import type { EventDefinition } from './catalogue/catalogue.ts'
import { durableSubscription, eventLog } from './tables.ts'

export interface EventRetention {
  readonly db: Pick<Database, 'system'>
  readonly catalogue: readonly Pick<EventDefinition, 'channel' | 'retentionDays'>[]
  /** Unix milliseconds. */
  readonly now: number
  /** Events kept per tenant and channel at most; default 100,000. */
  readonly keep?: number
}

const dayMs = 86_400_000
const defaultDays = 7

/**
 * Removes one slice of what is past its age or beyond the number kept per tenant and channel. Answers how many events
 * went; call until it answers 0. Oldest first, so that a channel never has a hole in the middle.
 */
export function pruneEvents(retention: EventRetention): Promise<number> {
  const { catalogue, now } = retention
  const channels = catalogue.map((event) => event.channel)
  const before = catalogue.map((event) => new Date(now - event.retentionDays * dayMs).toISOString())
  const otherwise = new Date(now - defaultDays * dayMs).toISOString()
  return retention.db.system('event retention', (tx) =>
    tx.execute(sql`
      delete from event_log e using (
        select oldest.tenant_id, oldest.id
        from event_position p
        left join unnest(${channels}::text[], ${before}::timestamptz[]) as rule(channel, before) on rule.channel = p.channel
        cross join lateral (
          select tenant_id, id, sequence, logged_at from event_log l
          where l.tenant_id = p.tenant_id and l.channel = p.channel and ${notHeld(eventLog, 'l')}
          order by l.sequence limit 1000) oldest
        where oldest.sequence <= p.sequence - ${retention.keep ?? 100_000}
          or oldest.logged_at < coalesce(rule.before, ${otherwise}::timestamptz)) past
      where e.tenant_id = past.tenant_id and e.id = past.id`),
  )
}

/** Drops durable subscriptions unused for a week. */
export function pruneDurables(db: Pick<Database, 'system'>, now: number): Promise<number> {
  const before = new Date(now - defaultDays * dayMs).toISOString()
  return db.system('durable subscription retention', (tx) =>
    tx.execute(sql`delete from durable_subscription where updated_at < ${before} and ${notHeld(durableSubscription)}`),
  )
}
