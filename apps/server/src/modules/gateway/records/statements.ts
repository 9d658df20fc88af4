import { insertRows } from '../../../kernel/db/rows.ts'
import { type Insert, json, sql } from '../../../kernel/db/sql.ts'
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

/**
 * In the commit of their outcomes. Sealed bytes travel as they are, in one parameter of which each row takes its part: as
 * text within JSON, four megabytes of them held the event loop for longer than all else of their call.
 */
export function insertPayloads(rows: readonly PayloadRow[]): Insert {
  const { bytes, places } = partsOf(rows)
  return {
    insert: sql`payload as (
      insert into ${requestPayloads.from} (tenant_id, id, user_id, sealed, original, words, created_at, expires_at)
      select tenant_id, id, user_id, substring(sent.bytes from sealed_at for sealed_size),
        substring(sent.bytes from original_at for original_size), words, created_at, expires_at
      from jsonb_to_recordset(${json(places)}::jsonb) as row(tenant_id uuid, id uuid, user_id uuid, sealed_at int,
        sealed_size int, original_at int, original_size int, words tsvector, created_at timestamptz,
        expires_at timestamptz) cross join (select ${bytes}::bytea as bytes) as sent
      on conflict do nothing)`,
  }
}

/** The bytes of all rows behind each other, and the rows with the places of theirs, counted from 1. */
function partsOf(rows: readonly PayloadRow[]) {
  const parts: Uint8Array[] = []
  let next = 1
  const add = (part: Uint8Array): number => {
    parts.push(part)
    next += part.byteLength
    return next - part.byteLength
  }
  const places = rows.map(({ sealed, original, ...row }) => ({
    ...row,
    sealed_at: add(sealed),
    sealed_size: sealed.byteLength,
    original_at: original === null ? null : add(original),
    original_size: original?.byteLength ?? null,
  }))
  return { bytes: parts.length === 1 ? parts[0] : Buffer.concat(parts), places }
}
