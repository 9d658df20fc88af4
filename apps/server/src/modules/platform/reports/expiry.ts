/** Files of reports go when their 90 days are over; the row with their digests and signatures stays. Tested in reports.test.ts. */
import { notHeld } from '../../../kernel/data-registry/holds.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import type { PlatformServices } from '../services/platform-services.ts'
import { reportFiles } from './tables.ts'

const batch = 200

export const reportExpiry: JobDeclaration<PlatformServices> = {
  kind: 'platform.report_expiry',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 3_600_000,
  due: ({ now }) => sql`exists (
    select from platform_report_file held
    where held.tenant_id = tenant.id and held.blob_id is not null and held.expires_at <= ${now})`,
  run: async ({ tenantId, kernel }) => {
    const over = await kernel.db.tenant({ tenantId }, async (tx) => {
      const rows = await tx.query(sql<{ id: string; blob_id: string }>`
        select id, blob_id from platform_report_file
        where blob_id is not null and expires_at <= ${kernel.clock.iso()} and ${notHeld(reportFiles)}
        limit ${batch} for update`)
      for (const { id, blob_id: blob } of rows) {
        await reportFiles.patch(tx, id, { blob_id: null })
        await kernel.blobs.release(tx, blob)
      }
      return rows
    })
    for (const { blob_id: blob } of over) await kernel.blobs.discard(tenantId, blob)
  },
}
