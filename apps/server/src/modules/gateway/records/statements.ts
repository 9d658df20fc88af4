import { insertRows } from '../../../kernel/db/rows.ts'
import { type Insert, sql } from '../../../kernel/db/sql.ts'
import type { IntentRow } from '../schemas/intent.ts'
import type { RequestRow } from '../schemas/request.ts'
import { requestIntents, requests } from '../schemas/tables.ts'
import type { PayloadRow } from './payload.ts'
import { requestPayloads } from './tables.ts'

/**
 * Parts of one statement, each for any number of rows, so that a flush of 1 and one of 256 are the same prepared
 * statement. Rows travel as JSON text; the text was made storable before. An intent that has waited on the disk since
 * before an update knows nothing of its decision and its tags.
 */
export function insertIntents(rows: readonly IntentRow[]): Insert {
  const whole = rows.map((row) => ({ ...row, decision: row.decision ?? 'allowed', tags: row.tags ?? [] }))
  return { insert: sql`intent as (${insertRows(requestIntents, whole)})` }
}

/** An outcome that is there already (the sweeper gave the call up) stays as it is. */
export function insertRequests(rows: readonly RequestRow[]): Insert {
  return { insert: sql`outcome as (${insertRows(requests, rows)} on conflict do nothing)` }
}

/** In the commit of their outcomes. */
export function insertPayloads(rows: readonly PayloadRow[]): Insert {
  return { insert: sql`payload as (${insertRows(requestPayloads, rows)} on conflict do nothing)` }
}
