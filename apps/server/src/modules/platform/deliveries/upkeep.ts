/** Messages are kept for 30 days and deliveries for 90. Tested in ../upkeep.test.ts. */
import { notHeld } from '../../../kernel/data-registry/holds.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { pruning } from '../../../kernel/jobs/pruning.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import { deliveries } from '../declared/integration-tables.ts'
import type { PlatformServices } from '../services/platform-services.ts'

const dayMs = 86_400_000
const messageDays = 30
const batch = 1_000

export const deliveryUpkeep = pruning<PlatformServices>({
  ...{ kind: 'platform.delivery_upkeep', table: deliveries, column: 'created_at', keptDays: 90 },
})

/** Between both times the row says what was sent where, and cannot be replayed. */
export const messageUpkeep: JobDeclaration<PlatformServices> = {
  kind: 'platform.message_upkeep',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 3_600_000,
  due: ({ ago }) => sql`exists (
    select from platform_delivery held where held.tenant_id = tenant.id and held.created_at < ${ago(messageDays * dayMs)})`,
  run: async ({ tenantId, kernel }) => {
    const before = new Date(kernel.clock.now() - messageDays * dayMs).toISOString()
    await kernel.db.tenant({ tenantId }, (tx) =>
      tx.execute(sql`
        update platform_delivery set message = null, next_attempt_at = null,
          status = case when status in ('pending', 'delivering', 'retrying') then 'dead' else status end
        where id in (select id from platform_delivery where created_at < ${before} and message is not null
          and ${notHeld(deliveries)} limit ${batch})`),
    )
  },
}
