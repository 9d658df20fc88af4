/** Work of the clock: deadlines of requests, exports that have expired, consents that have run out. Tested in requests.test.ts. */
import { notHeld } from '../../../kernel/data-registry/holds.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import type { RequestType } from '../declared/retention-schema.ts'
import { runs } from '../declared/retention-tables.ts'
import { deadlineWarned } from '../retention/events.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'

const dayMs = 86_400_000
const warnDays = 7

export const deadlineJob: JobDeclaration<DataGovServices> = {
  kind: 'data_gov.deadlines',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: dayMs,
  due: ({ now }) => sql`exists (
    select from data_gov_run held where held.tenant_id = tenant.id and held.kind = 'subject_request'
      and held.status in ('identity_pending', 'in_progress', 'awaiting_approval', 'fulfilling')
      and held.due_at <= ${now}::timestamptz + interval '7 days')`,
  run: ({ tenantId, kernel }) => kernel.db.tenant({ tenantId }, (tx) => warn(tx, kernel.clock.now())),
}

async function warn(tx: Tx, nowMs: number): Promise<void> {
  const due = await tx.query(sql<{ id: string; request_type: RequestType; due_at: string }>`
    select id, request_type, due_at from data_gov_run
    where kind = 'subject_request' and status in ('identity_pending', 'in_progress', 'awaiting_approval', 'fulfilling')
      and due_at <= ${new Date(nowMs + warnDays * dayMs).toISOString()}
    order by due_at limit 500`)
  await tx.emitAll(
    deadlineWarned,
    due.map(({ id, request_type, due_at }) => ({
      subject: id,
      data: { run_id: id, request_type, due_at, days_left: Math.floor((Date.parse(due_at) - nowMs) / dayMs) },
    })),
  )
}

export const exportExpiry: JobDeclaration<DataGovServices> = {
  kind: 'data_gov.export_expiry',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: 3_600_000,
  due: ({ now }) => sql`exists (
    select from data_gov_run held where held.tenant_id = tenant.id and held.export_expires_at <= ${now})`,
  run: async ({ tenantId, kernel }) => {
    const gone = await kernel.db.tenant({ tenantId }, async (tx) => {
      const rows = await tx.query(sql<{ id: string; export_id: string }>`
        select id, export_id from data_gov_run run
        where export_expires_at <= ${kernel.clock.iso()} and export_id is not null and ${notHeld(runs, 'run')} limit 200`)
      for (const { id, export_id: blob } of rows) {
        await runs.patchVersion(tx, id, { export_id: null, export_expires_at: null })
        await kernel.blobs.release(tx, blob)
      }
      return rows.map(({ export_id: blob }) => blob)
    })
    for (const id of gone) await kernel.blobs.discard(tenantId, id)
  },
}
