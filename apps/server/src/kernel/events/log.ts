import type { TenantId } from '../access/actor.ts'
import { sql } from '../db/sql.ts'
import type { LoggedEvent } from './catalogue/logged-event.ts'

/** Columns of `event_log` as a `LoggedEvent`. */
export const loggedEvent = sql`position, id, tenant_id as "tenantId", channel, sequence, type, subject, time, data,
  traceparent, causation_depth as "causationDepth"`

/** Events of some tenants behind a position, in the order the relay gave them. */
export function eventsOf(tenants: readonly TenantId[], from: { readonly position: number; readonly limit: number }) {
  return sql<LoggedEvent>`
    select ${loggedEvent} from event_log
    where position > ${from.position} and tenant_id = any(${[...tenants]}::uuid[])
    order by position limit ${from.limit}`
}

/** One channel of one tenant, behind a sequence number. Served by the unique index (tenant_id, channel, sequence). */
export function channelAfter(from: { tenantId: TenantId; channel: string; sequence: number; limit: number }) {
  return sql<LoggedEvent>`
    select ${loggedEvent} from event_log
    where tenant_id = ${from.tenantId} and channel = ${from.channel} and sequence > ${from.sequence}
    order by sequence limit ${from.limit}`
}

export const headPosition = sql<{ position: number }>`select position from event_head where id = 1`

/** The newest event of a channel that a tenant's log keeps. */
export const newestOf = (from: { readonly tenantId: TenantId; readonly channel: string }) => sql<LoggedEvent>`
  select ${loggedEvent} from event_log
  where tenant_id = ${from.tenantId} and channel = ${from.channel} order by sequence desc limit 1`

/** One event of a tenant, as long as the log keeps it. */
export const eventById = (from: { readonly tenantId: TenantId; readonly id: string }) => sql<LoggedEvent>`
  select ${loggedEvent} from event_log where tenant_id = ${from.tenantId} and id = ${from.id}`
