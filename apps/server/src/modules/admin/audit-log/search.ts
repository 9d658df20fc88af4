/**
 * Search in the audit log. Promises that filters ask only about what the reader is shown: `q` looks into actions, targets
 * and reasons, never into values before and after. Tested in audit-log.test.ts.
 */

import type { Actor } from '../../../kernel/access/actor.ts'
import { type OpeningRow, openingRows, shownIp, shownWords } from '../../../kernel/audit/personal.ts'
import { type AuditEntryRow, auditEntry } from '../../../kernel/audit/tables.ts'
import type { Database, Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import type { AuditEntry, AuditFilter } from './schemas/audit-log.ts'
import { chainOf } from './scope.ts'
import { entryView, type SealRow } from './view.ts'

interface Search {
  readonly actor: Actor
  readonly filter: AuditFilter
  readonly page: PageRequest
}

/** @throws AUTH-004 */
export function searchAuditLog(db: Pick<Database, 'tenant'>, search: Search): Promise<Page<AuditEntry>> {
  const tenantId = chainOf(search.actor, search.filter.scope)
  return db.tenant({ tenantId, readOnly: true }, (tx) => onePage(tx, search))
}

async function onePage(tx: Tx, { actor, filter, page }: Search): Promise<Page<AuditEntry>> {
  const found = await auditEntry.page(tx, page, conditionOf(filter))
  const ids = found.items.map(({ id }) => id)
  const [seals, personal] = await Promise.all([
    tx.query(sql<SealRow>`
      select entry_id, seq, prev_hash, hash, sealed_at from audit_seal where entry_id = any(${ids}::uuid[])`),
    tx.query(openingRows(ids)),
  ])
  const sealOf = new Map(seals.map((seal) => [seal.entry_id, seal]))
  const openings = new Map<string, OpeningRow[]>()
  for (const opening of personal) openings.set(opening.entry_id, [...(openings.get(opening.entry_id) ?? []), opening])
  const view = (row: AuditEntryRow): AuditEntry =>
    entryView({ row, seal: sealOf.get(row.id) ?? null, openings: openings.get(row.id) ?? [] }, actor.permissions)
  return { ...found, items: found.items.map(view) }
}

/** Of the columns of `audit_entry`. */
export function conditionOf(filter: AuditFilter): SqlPart {
  const { actor_id: actorId, actor_kind: kind, key_id: keyId, action, target, result, ip, q, since, until } = filter
  const parts: SqlPart[] = [sql`true`]
  if (actorId !== undefined) parts.push(sql`user_id = ${actorId}`)
  if (kind !== undefined) parts.push(sql`actor_kind = ${kind}`)
  if (keyId !== undefined) parts.push(sql`key_id = ${keyId}`)
  if (action !== undefined) parts.push(sql`starts_with(action, ${action})`)
  if (target !== undefined) parts.push(sql`starts_with(target, ${target})`)
  if (result !== undefined) parts.push(sql`result = ${result}`)
  if (ip !== undefined) parts.push(sql`${shownIp} = ${ip}`)
  if (filter.request_id !== undefined) parts.push(sql`request_id = ${filter.request_id}`)
  if (q !== undefined)
    parts.push(sql`
      strpos(lower(concat_ws(' ', action, target, ${shownWords})), lower(${q})) > 0`)
  if (since !== undefined) parts.push(sql`at >= ${since}`)
  if (until !== undefined) parts.push(sql`at < ${until}`)
  return join(parts, ' and ')
}
