import { notHeld } from '../../../../kernel/data-registry/holds.ts'
import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { JobDeclaration } from '../../../../kernel/module/module.ts'
import { callRetention } from '../declared/settings.ts'
import { calls } from '../declared/tables.ts'

const dayMs = 86_400_000
const batch = 1_000
/** The shortest time that a tenant may set: none is asked for less. */
const leastDays = 7

export const removeOldCalls: JobDeclaration<unknown> = {
  kind: 'aegis.mcp_call.remove',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 3_600_000,
  due: ({ ago }) => sql`exists (
    select from aegis_mcp_call old where old.tenant_id = tenant.id and old.created_at <= ${ago(leastDays * dayMs)})`,
  run: ({ tenantId, kernel }) =>
    kernel.db.tenant({ tenantId }, async (tx) => {
      const days = kernel.settings.get(callRetention, tenantId)
      const before = new Date(kernel.clock.now() - days * dayMs).toISOString()
      while ((await removeBatch(tx, before)) === batch);
    }),
}

function removeBatch(tx: Tx, before: string): Promise<number> {
  return tx.execute(sql`
    delete from aegis_mcp_call where id in (
      select id from aegis_mcp_call where created_at < ${before} and ${notHeld(calls)} order by created_at limit ${batch})`)
}
