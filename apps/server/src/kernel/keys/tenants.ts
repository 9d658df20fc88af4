import type { TenantId } from '../access/actor.ts'
import { platformTenant } from '../access/platform-tenant.ts'
import type { Database } from '../db/port.ts'
import { sql } from '../db/sql.ts'

/** A tenant has a data key from its first moment to its deletion, so the keys are the list of tenants. The installation's own is none. */
export async function tenantsWithKeys(db: Pick<Database, 'system'>): Promise<readonly TenantId[]> {
  const rows = await db.system('list tenants', (tx) =>
    tx.query(
      sql<{ tenant_id: TenantId }>`select distinct tenant_id from tenant_data_key where tenant_id <> ${platformTenant}`,
    ),
  )
  return rows.map((row) => row.tenant_id)
}
