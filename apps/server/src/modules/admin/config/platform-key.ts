import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'

/**
 * The installation's own data key, made when its first setting is stored. Asked outside of every other transaction: the
 * embedded database has one connection.
 */
export async function ensurePlatformKey({ db, tenantKeys }: Pick<Kernel, 'db' | 'tenantKeys'>): Promise<void> {
  const has = () =>
    tenantKeys.blindIndex(platformTenant, 'presence', '').then(
      () => true,
      () => false,
    )
  if (await has()) return
  await db.tenant({ tenantId: platformTenant }, async (tx) => {
    await tx.lock('platform_data_key', 'one')
    // Another instance may have made it meanwhile.
    const made = await tx.first(sql`select id from tenant_data_key limit 1`)
    if (made === null) await tenantKeys.create(tx)
  })
}
