/**
 * Reads the platform's facts again for the sources that show them, so that an answer tells the numbers of now. Unchanged
 * facts cost one reading: what was indexed of them stays. Tested in platform-facts.test.ts.
 */
import { sql } from '../../../kernel/db/sql.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'
import { queueSync } from './resource.ts'

/** Facts are at most this old, and as long as a run and an indexing take. */
const oldestMs = 15 * 60_000
/** Of one run; the rest is due again. */
const batch = 100

export const refreshFacts: JobDeclaration<SvcAiServices> = {
  kind: 'svc_ai.facts_refresh',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 5 * 60_000,
  due: ({ ago }) => sql`exists (
    select from svc_ai_source held
    where held.tenant_id = tenant.id and held.kind = 'platform' and held.status = 'ready'
      and held.last_sync_at <= ${ago(oldestMs)})`,
  run: ({ tenantId, kernel }) =>
    kernel.db.tenant({ tenantId }, async (tx) => {
      const old = new Date(kernel.clock.now() - oldestMs).toISOString()
      const found = await tx.query(sql<{ id: string }>`
        select id from svc_ai_source
        where kind = 'platform' and status = 'ready' and last_sync_at <= ${old} order by last_sync_at limit ${batch}`)
      for (const { id } of found) await queueSync(tx, id)
    }),
}
