import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { leave } from '../directory/directory.ts'
import type { IamServices } from '../services/iam-services.ts'
import { apiKeyRevoked } from './events.ts'

export interface KeyEnding {
  /** Which of the tenant's keys. */
  readonly condition: SqlPart
  readonly by: string | null
  readonly reason: string
}

/** Ends keys at commit; their rows stay for the audit. Answers how many there were. */
export async function revokeKeys(services: IamServices, tx: Tx, ending: KeyEnding): Promise<number> {
  const now = services.kernel.clock.iso()
  const ended = await tx.query(sql<{ id: string; owner_id: string }>`
    update iam_api_key
    set revoked_at = ${now}, revoked_by = ${ending.by}, revoked_reason = ${ending.reason}, updated_at = ${now}, version = version + 1
    where revoked_at is null and ${ending.condition}
    returning id, owner_id`)
  for (const { id, owner_id } of ended) {
    await services.kernel.auth.revoke(tx, 'key', id)
    await leave(tx, 'api_key', id)
    const data = { api_key_id: id, owner_id, actor_id: ending.by, reason: ending.reason }
    await tx.emit(apiKeyRevoked, `api-key/${id}`, data)
  }
  return ended.length
}
