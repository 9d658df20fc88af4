/**
 * The remaining fact about a call whose row retention has removed: its audit entry. Promises that only people who could
 * have read the call learn that it existed. Tested in retention.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { seesAll } from '../request-log/requests-filter.ts'

/** Version 7 of a UUID begins with its time. */
const timed = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
/** No call takes longer, so its entry is not later. */
const longestMs = 86_400_000

export interface RemovedCall {
  readonly audit_id: string
  readonly removed_before: string
}

/** Null when there never was such a call, when it is another's, or when it was not retention that removed it. */
export async function findRemovedCall(tx: Tx, actor: Actor, id: string): Promise<RemovedCall | null> {
  if (!timed.test(id)) return null
  const madeMs = Number.parseInt(id.replace('-', '').slice(0, 12), 16)
  const [from, to] = [madeMs - 1000, madeMs + longestMs].map((ms) => new Date(ms).toISOString())
  const all = seesAll(actor)
  // Index: audit_entry_at. The id says when, so a day of entries is read at worst.
  return tx.first(
    sql<RemovedCall>`
      select entry.id as audit_id, cleared.removed_before
      from audit_entry entry, gateway_log_retention cleared
      where entry.at between ${from}::timestamptz and ${to}::timestamptz
        and entry.action = 'gateway.request' and entry.target = ${`request:${id}`}
        and (${all}::boolean or entry.user_id = ${actor.userId})
        and cleared.removed_before > ${new Date(madeMs).toISOString()}::timestamptz
      limit 1`,
  )
}
