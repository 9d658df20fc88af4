import type { Database, SystemTx } from '../../db/port.ts'
import { sql } from '../../db/sql.ts'
import type { LoggedEvent } from '../catalogue/logged-event.ts'
import { loggedEvent } from '../log.ts'

type System = Pick<Database, 'system'>

export interface BacklogEntry {
  readonly event: LoggedEvent
  readonly attempts: number
  /** An injected fault held it back. */
  readonly again: boolean
}

/** The error of an event that an injected fault holds back begins so. */
export const injectedMark = 'An injected fault: bus'

/** Events that a handler has not handled yet, by tenant. */
export interface Backlog {
  /** Tenants with something owed: their later events wait, so that their order holds. */
  readonly tenants: ReadonlySet<string>
  /** The first owed event of every tenant, where its pause is over. */
  readonly due: readonly BacklogEntry[]
}

export async function readBacklog(tx: SystemTx, handler: string, now: string): Promise<Backlog> {
  const tenants = await tx.query(sql<{ tenant_id: string }>`
    select distinct tenant_id from handler_backlog where handler = ${handler} and not parked`)
  if (tenants.length === 0) return { tenants: new Set(), due: [] }
  const rows = await tx.query(sql<LoggedEvent & { attempts: number; again: boolean }>`
    select ${loggedEvent}, attempts, again from (
      select distinct on (tenant_id) tenant_id as owed_by, id as owed, attempts, next_at,
        coalesce(starts_with(error, ${injectedMark}), false) as again
      from handler_backlog where handler = ${handler} and not parked
      order by tenant_id, position) first
    join event_log on event_log.tenant_id = first.owed_by and event_log.id = first.owed
    where first.next_at <= ${now}
    limit 100`)
  return {
    tenants: new Set(tenants.map((row) => row.tenant_id)),
    due: rows.map(({ attempts, again, ...event }) => ({ event, attempts, again })),
  }
}

export interface Owed {
  readonly handler: string
  readonly event: Pick<LoggedEvent, 'tenantId' | 'id' | 'position'>
  readonly attempts: number
  readonly nextAt: string
  readonly parked: boolean
  readonly error: string | null
}

/** Remembers an event that could not be handled yet, or, parked, will not be tried again. */
export async function owe(db: System, owed: Owed): Promise<void> {
  const { handler, event, attempts, nextAt, parked, error } = owed
  await db.system('handler backlog', (tx) =>
    tx.execute(sql`
      insert into handler_backlog (tenant_id, handler, id, position, attempts, next_at, parked, error)
      values (${event.tenantId}, ${handler}, ${event.id}, ${event.position}, ${attempts}, ${nextAt}, ${parked}, ${error})
      on conflict (tenant_id, handler, id) do update
      set attempts = excluded.attempts, next_at = excluded.next_at, parked = excluded.parked, error = excluded.error`),
  )
}

export async function settle(db: System, handler: string, event: Pick<LoggedEvent, 'tenantId' | 'id'>): Promise<void> {
  await db.system('handler backlog', (tx) =>
    tx.execute(sql`
      delete from handler_backlog where tenant_id = ${event.tenantId} and handler = ${handler} and id = ${event.id}`),
  )
}

/** Owed events that fell out of the log can never be handled; they are parked so that nothing waits behind them. */
export function parkExpired(db: System, handler: string): Promise<number> {
  return db.system('handler backlog', (tx) =>
    tx.execute(sql`
      update handler_backlog b set parked = true, error = 'the event is no longer kept'
      where handler = ${handler} and not parked
        and not exists (select from event_log e where e.tenant_id = b.tenant_id and e.id = b.id)`),
  )
}
