import type { TenantId } from '../../src/kernel/access/actor.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import type { World } from './world.ts'

/**
 * As if every person of the tenant had been invited by mail, and so has credentials that nobody else ever saw. Without
 * it, their inviters cannot act as their second person.
 */
export async function ownCredentials({ kernel }: Pick<World, 'kernel'>, tenantId: TenantId): Promise<void> {
  await kernel.db.tenant({ tenantId }, async (tx) => {
    await tx.execute(sql`update iam_user set credentials_set_by = null, credentials_set_at = null`)
    await kernel.auth.rightsChanged(tx, 'role:all')
  })
}
