/** Runs are kept for a year after their end. Tested in workflows.test.ts. */
import { notHeld } from '../../../kernel/data-registry/holds.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { runs } from './declared/tables.ts'

const dayMs = 86_400_000
const keptDays = 365
const batch = 500

export const runUpkeep: JobDeclaration<PlatformServices> = {
  kind: 'platform.run_upkeep',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 3_600_000,
  due: ({ ago }) => sql`exists (
    select from platform_run held where held.tenant_id = tenant.id and held.ended_at < ${ago(keptDays * dayMs)})`,
  run: async ({ tenantId, kernel }) => {
    const before = new Date(kernel.clock.now() - keptDays * dayMs).toISOString()
    await kernel.db.tenant({ tenantId }, (tx) =>
      tx.execute(sql`
        delete from platform_run where id in (
          select id from platform_run where ended_at < ${before} limit ${batch}) and ${notHeld(runs)}`),
    )
  },
}
