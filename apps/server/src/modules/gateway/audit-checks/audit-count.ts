/**
 * Counts the calls of the trust score's window with an entry in the audit chain, and stores the last result about the
 * chain. Tested in audit-check.test.ts.
 */
import type { Clock } from '../../../kernel/base/clock.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'

export interface AuditCheck {
  readonly checked_at: string
  /** Result of the last check of the end of the chain. */
  readonly intact: boolean
  /** Time since which an unexplained fault exists. */
  readonly broken_at: string | null
  readonly counted_at: string | null
  /** Real calls of the window, and how many of them have a sealed entry before the first fault. */
  readonly calls: number
  readonly audited: number
  /** Calls of the window without an entry. */
  readonly lost: number
  /** Calls of the window with an audit entry but without a row in the log. */
  readonly unlogged: number
}

/**
 * Compares every call of the window with its entry, and every entry with its call: removing an entry together with its
 * seal leaves the chain intact, and so does removing a row from the log.
 */
export async function countAudited(tx: Tx, clock: Clock): Promise<void> {
  await tx.execute(
    sql`
      update gateway_audit_check set counted_at = ${clock.iso()}, unlogged = (${unloggedCalls(clock)}),
        (calls, audited, lost) = (
          select count(*) filter (where not call.offline),
            count(*) filter (where not call.offline and entry.id is not null and seal.seq < coalesce(bad_seq, seal.seq + 1)),
            count(*) filter (where entry.id is null)
          from gateway_request call
          left join audit_entry entry on entry.tenant_id = call.tenant_id and entry.id = call.audit_id
          left join audit_seal seal on seal.tenant_id = call.tenant_id and seal.entry_id = call.audit_id
          where call.created_at > ${clock.iso()}::timestamptz - interval '30 days'
            and call.finished_at < ${settledBefore(clock)})`,
  )
}

/**
 * Audit entries without a logged call. Calls that a tenant's retention removes are announced first and excluded; a call
 * may have begun a day before its entry. Uses audit_entry_at.
 */
function unloggedCalls(clock: Clock): SqlPart {
  return sql`
    select count(*)
    from audit_entry entry
    where entry.at > ${clock.iso()}::timestamptz - interval '30 days' and entry.at < ${settledBefore(clock)}
      and entry.at > coalesce(
        (select removed_before + interval '1 day' from gateway_log_retention retained
          where retained.tenant_id = entry.tenant_id), '-infinity')
      and entry.action = 'gateway.request'
      and not exists (
        select from gateway_request call
        where call.tenant_id = entry.tenant_id and 'request:' || call.id = entry.target
          and call.created_at > ${clock.iso()}::timestamptz - interval '31 days')`
}

/** Seals follow within a second; a call this old, in milliseconds, must be in the chain. */
const settledMs = 30_000

export function settledBefore(clock: Pick<Clock, 'now'>): string {
  return new Date(clock.now() - settledMs).toISOString()
}

export function lastAuditCheck(tx: Tx): Promise<AuditCheck | null> {
  return tx.first(sql<AuditCheck>`
    select checked_at, intact, broken_at, counted_at, calls, audited, lost, unlogged from gateway_audit_check`)
}
