/**
 * Waits: a row says which job is added when an event comes, or a time. The row goes in the transaction that adds the job,
 * so a wait is met once, by its event or by its time and never by both. A tenant without waits costs nothing for an event:
 * the log is searched only for awaited events. Tested in waits.test.ts.
 */
import type { Clock } from '../base/clock.ts'
import type { Origin, Tx } from '../db/port.ts'
import { json, sql } from '../db/sql.ts'
import type { LoggedEvent } from '../events/catalogue/logged-event.ts'
import type { EventBatch, EventHandlerDeclaration } from '../module/module.ts'
import { requireKind, type ScheduleKernel, type ScheduleKey } from './schedules.ts'

export interface AwaitedEvent {
  /** One channel, no pattern. */
  readonly channel: string
  readonly subject?: string
  /** Members that the event's data has, at any depth: `{ agent_id: '…' }`. */
  readonly matching?: Readonly<Record<string, unknown>>
}

export interface WaitInput extends ScheduleKey {
  /** The kind of job that is added. */
  readonly kind: string
  /** Of the job, which has the member `wait` besides (`WaitOutcome`). */
  readonly payload?: Readonly<Record<string, unknown>>
  /** Logged after the wait was armed. */
  readonly event?: AwaitedEvent
  /** Unix milliseconds: the time that is waited for or, beside an event, the time-out. */
  readonly until?: number
}

/** The member `wait` in the payload of the job. */
export interface WaitOutcome {
  readonly key: string
  /** `timeout`: the event had not come by then. */
  readonly outcome: 'event' | 'time' | 'timeout'
  readonly event: Pick<LoggedEvent, 'id' | 'channel' | 'subject' | 'time' | 'data'> | null
  readonly traceparent: string | null
  /** Of the changes that the job makes, so that a loop of events and waits comes to its bound. */
  readonly causation_depth: number
}

/**
 * Arms a wait or replaces the one of the same key.
 * @throws TypeError for a kind of job that does not exist, and where neither an event nor a time is said
 */
export async function armWait(kernel: ScheduleKernel, tx: Tx, input: WaitInput): Promise<void> {
  const { owner, key, kind, payload = {}, event, until } = input
  requireKind(kernel, kind)
  if (event === undefined && until === undefined) throw new TypeError('A wait needs an event or a time')
  const untilAt = until === undefined ? null : new Date(until).toISOString()
  await tx.execute(sql`
    insert into schedule_wait (tenant_id, owner, key, kind, payload, channel, subject, matching, after_position, until_at,
      created_at)
    select ${tx.tenantId}::uuid, ${owner}::text, ${key}::text, ${kind}::text, ${json(payload)}::jsonb,
      ${event?.channel ?? null}::text, ${event?.subject ?? null}::text, ${json(event?.matching ?? {})}::jsonb, position,
      ${untilAt}::timestamptz, ${kernel.clock.iso()}::timestamptz
    from event_head where id = 1
    on conflict (tenant_id, owner, key) do update set kind = excluded.kind, payload = excluded.payload,
      channel = excluded.channel, subject = excluded.subject, matching = excluded.matching,
      after_position = excluded.after_position, until_at = excluded.until_at, created_at = excluded.created_at`)
}

/** @returns whether it still waited */
export async function cancelWait(tx: Tx, { owner, key }: ScheduleKey): Promise<boolean> {
  return (await tx.execute(sql`delete from schedule_wait where owner = ${owner} and key = ${key}`)) > 0
}

/** How a wait of the job ended; null for a job from another source. */
export function waitOutcome(payload: Readonly<Record<string, unknown>>): WaitOutcome | null {
  const { wait } = payload
  return typeof wait === 'object' && wait !== null ? (wait as WaitOutcome) : null
}

/** The origin of the changes that follow a wait. */
export function originOf({
  traceparent,
  causation_depth,
}: WaitOutcome): Pick<Origin, 'traceparent' | 'causationDepth'> {
  return { traceparent, causationDepth: causation_depth }
}

/** Adds the jobs of the waits that events meet, as part of handling the events. */
export const meetWaits: EventHandlerDeclaration<unknown> = {
  name: 'kernel.waits',
  channels: ['*'],
  interest: () => sql`exists (
    select from schedule_wait held where held.tenant_id = event.tenant_id and held.channel = event.channel)`,
  handle: meet,
}

interface MetWait {
  readonly key: string
  readonly kind: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly position: number
}

async function meet({ tx, events }: Pick<EventBatch<unknown>, 'tx' | 'events'>): Promise<void> {
  const met = await tx.query(metWaits(events))
  const byPosition = new Map(events.map((event) => [event.position, event]))
  for (const { key, kind, payload, position } of met) {
    const event = byPosition.get(position)
    if (event === undefined) continue
    const { id, channel, subject, time, data, traceparent, causationDepth } = event
    const outcome: WaitOutcome = {
      ...{ key, outcome: 'event', event: { id, channel, subject, time, data }, traceparent },
      causation_depth: causationDepth + 1,
    }
    await tx.enqueue({ kind, payload: { ...payload, wait: outcome } })
  }
}

/**
 * The first event that meets a wait takes its row away. The conditions stand in the deletion itself, which asks them again
 * of a row that was armed anew meanwhile.
 */
function metWaits(events: readonly LoggedEvent[]) {
  const meets = sql`w.channel = e.channel and e.position > w.after_position
    and (w.subject is null or w.subject = e.subject) and (w.until_at is null or e.time <= w.until_at)
    and e.data @> w.matching`
  return sql<MetWait>`
    with told as (
      select position, channel, subject, time, data::jsonb as data
      from unnest(${events.map(({ position }) => position)}::bigint[], ${events.map(({ channel }) => channel)}::text[],
        ${events.map(({ subject }) => subject)}::text[], ${events.map(({ time }) => time)}::timestamptz[],
        ${events.map(({ data }) => json(data))}::text[]) as e(position, channel, subject, time, data)),
    earliest as (
      select w.owner, w.key, min(e.position) as position from schedule_wait w join told e on ${meets}
      group by w.owner, w.key)
    delete from schedule_wait w using earliest, told e
    where w.owner = earliest.owner and w.key = earliest.key and e.position = earliest.position and ${meets}
    returning w.key, w.kind, w.payload, e.position`
}

export interface EndedWait extends Omit<MetWait, 'position'> {
  readonly tenant_id: string
  readonly channel: string | null
}

/** The statement that takes away the waits whose time has come; two instances never have the same. */
export function endedWaits(clock: Pick<Clock, 'iso'>, limit: number) {
  return sql<EndedWait>`
    with due as (
      select tenant_id, owner, key from schedule_wait where until_at <= ${clock.iso()}
      order by until_at limit ${limit} for update skip locked)
    delete from schedule_wait w using due
    where w.tenant_id = due.tenant_id and w.owner = due.owner and w.key = due.key
    returning w.tenant_id, w.key, w.kind, w.payload, w.channel`
}

/** The payload of the job of a wait whose time has come. */
export function endedPayload({ key, payload, channel }: EndedWait): Readonly<Record<string, unknown>> {
  const outcome: WaitOutcome = {
    ...{ key, outcome: channel === null ? 'time' : 'timeout' },
    ...{ event: null, traceparent: null, causation_depth: 0 },
  }
  return { ...payload, wait: outcome }
}
