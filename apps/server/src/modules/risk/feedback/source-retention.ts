/** Removes the memory of calls and alerts whose attempts were counted long ago. Tested in alerts.test.ts. */
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { DueAt, JobDeclaration } from '../../../kernel/module/module.ts'
import { forgetSources } from '../observation/sources.ts'
import type { RiskServices } from '../register/register-parts.ts'

/** Milliseconds; as long as events of alerts are kept. */
const keptMs = 90 * 86_400_000
/** At most so many in one transaction. */
const batch = 5_000

export const sourceRetention: JobDeclaration<RiskServices> = {
  kind: 'risk.attempt_sources',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 3_600_000,
  due: ({ ago }: DueAt): SqlPart => sql`exists (
    select from risk_attempt_source held where held.tenant_id = tenant.id and held.seen_at <= ${ago(keptMs)})`,
  run: async ({ tenantId, kernel, signal }) => {
    const before = new Date(kernel.clock.now() - keptMs).toISOString()
    const slice = () => kernel.db.tenant({ tenantId }, (tx) => forgetSources(tx, before, batch))
    while (!signal.aborted && (await slice()) === batch);
  },
}
