import type { TenantId } from '../../../kernel/access/actor.ts'
import { notHeld } from '../../../kernel/data-registry/holds.ts'
import type { SqlPart } from '../../../kernel/db/sql.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { DueAt } from '../../../kernel/module/module.ts'
import { requestPayloads } from './tables.ts'

/** Rows of one transaction. */
const slice = 1000

/**
 * Removes kept content and its words when the days its policy gave it are over. The log row stays, and so does content
 * under a legal hold.
 */
export async function removeExpiredContent(
  { db, clock }: Pick<Kernel, 'db' | 'clock'>,
  tenantId: TenantId,
): Promise<void> {
  let gone = slice
  while (gone === slice) {
    gone = await db.tenant({ tenantId }, (tx) =>
      tx.execute(
        sql`
          delete from gateway_request_payload
          where id in (
            select id from gateway_request_payload
            where expires_at <= ${clock.iso()} and ${notHeld(requestPayloads)} order by expires_at limit ${slice})`,
      ),
    )
  }
}

export const someContentExpired = ({ now }: DueAt): SqlPart => sql`
  exists (select from gateway_request_payload kept where kept.tenant_id = tenant.id and kept.expires_at <= ${now})`
