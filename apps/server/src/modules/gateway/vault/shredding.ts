import type { TenantId } from '../../../kernel/access/actor.ts'
import { notHeld } from '../../../kernel/data-registry/holds.ts'
import type { SqlPart } from '../../../kernel/db/sql.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { DueAt } from '../../../kernel/module/module.ts'
import { vaults } from './sealed/tables.ts'

/** Rows of one transaction. */
const slice = 1000
const dayMs = 86_400_000
/** Days for which it is remembered that there were values. */
const rememberedDays = 30

/**
 * Destroys the keys, and with them the values, of calls whose time is over. Values that remain in a copy of the
 * database cannot be read without the key.
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
            select id from gateway_vault
            where shredded_at is null and expires_at <= ${now} and ${notHeld(vaults)}
            order by expires_at limit ${slice} for update skip locked)`,
      ),
    )
  }
  await db.tenant({ tenantId }, (tx) =>
    tx.execute(sql`delete from gateway_vault where shredded_at < ${forgotten} and ${notHeld(vaults)}`),
  )
}

export const someValuesExpired = ({ now, ago }: DueAt): SqlPart => sql`
  (exists (
    select from gateway_vault held
    where held.tenant_id = tenant.id and held.shredded_at is null and held.expires_at <= ${now})
  or exists (
    select from gateway_vault held
    where held.tenant_id = tenant.id and held.shredded_at < ${ago(rememberedDays * dayMs)}))`
