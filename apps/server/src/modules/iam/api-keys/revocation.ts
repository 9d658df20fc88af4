import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { leave } from '../directory/directory.ts'
import type { IamServices } from '../services/iam-services.ts'
import { apiKeyRevoked } from './events.ts'
import { familyOf } from './family.ts'

export interface KeyEnding {
  /** Which of the tenant's keys. */
  readonly condition: SqlPart
  readonly by: string | null
  readonly reason: string
  /** A key of the family that stays: the replacement of the one that ends. */
  readonly except?: string
}

/** Ends keys, and all made with them, at commit; their rows stay for the audit. Answers how many there were. */
export async function revokeKeys(services: IamServices, tx: Tx, ending: KeyEnding): Promise<number> {
  const now = services.kernel.clock.iso()
  const ended = await tx.query(sql<{ id: string; owner_id: string }>`
    update iam_api_key
    set revoked_at = ${now}, revoked_by = ${ending.by}, revoked_reason = ${ending.reason}, updated_at = ${now}, version = version + 1
    where revoked_at is null and id is distinct from ${ending.except ?? null}::uuid and ${familyOf(ending.condition)}
    returning id, owner_id`)
  for (const { id, owner_id } of ended) {
    await services.kernel.auth.revoke(tx, 'key', id)
    await leave(tx, 'api_key', id)
    const data = { api_key_id: id, owner_id, actor_id: ending.by, reason: ending.reason }
    await tx.emit(apiKeyRevoked, `api-key/${id}`, data)
  }
  return ended.length
}

/** Ends the keys made in the sessions of the condition that are still open. Called before these end. */
export function revokeKeysOfSessions(services: IamServices, tx: Tx, ending: KeyEnding): Promise<number> {
  const condition = sql`session_id in (select id from iam_session where status = 'active' and ${ending.condition})`
  return revokeKeys(services, tx, { ...ending, condition })
}
