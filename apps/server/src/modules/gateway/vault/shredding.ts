import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'

/** Rows of one transaction. */
const slice = 1000
const dayMs = 86_400_000
/** Days for which it is remembered that there were values. */
const rememberedDays = 30

/**
 * Destroys the keys, and with them the values, of calls whose time is over. What a copy of the database still holds of
 * them cannot be read without the key.
 */
export async function shredExpired({ db, clock }: Pick<Kernel, 'db' | 'clock'>, tenantId: TenantId): Promise<void> {
  const now = clock.iso()
  const forgotten = new Date(clock.now() - rememberedDays * dayMs).toISOString()
  let gone = slice
  while (gone === slice) {
    gone = await db.tenant({ tenantId }, (tx) =>
      tx.execute(
        sql`
          update gateway_vault set wrapped_key = null, sealed_values = '[]', shredded_at = ${now}
          where id in (
            select id from gateway_vault where wrapped_key is not null and expires_at <= ${now}
            order by expires_at limit ${slice} for update skip locked)`,
      ),
    )
  }
  await db.tenant({ tenantId }, (tx) =>
    tx.execute(sql`delete from gateway_vault where wrapped_key is null and shredded_at < ${forgotten}`),
  )
}
