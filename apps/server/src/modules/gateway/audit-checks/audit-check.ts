/**
 * Evidence for the trust score about the proof of calls. Every check recomputes the end of the chain, and once an hour
 * all calls of the score's window are compared with their audit entries, and the entries with the calls. A detected
 * fault stands until it is explained (audit-faults.ts). Tested in audit-check.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Clock } from '../../../kernel/base/clock.ts'
import type { SqlPart } from '../../../kernel/db/sql.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { DueAt } from '../../../kernel/module/module.ts'
import { type AuditCheck, countAudited, lastAuditCheck, settledBefore } from './audit-count.ts'
import { type AuditFault, noteFault } from './audit-faults.ts'

/** Entries at the end of the chain that are recomputed in one check; the whole chain is the administrator's check. */
const recomputed = 2000
/** Milliseconds between two counts of a whole window, which read every call of thirty days. */
const countEveryMs = 3_600_000

/**
 * Recomputes the end of the tenant's chain and looks for calls without an audit entry and entries without a call;
 * stores the result.
 */
export async function checkAudit(kernel: Kernel, tenantId: TenantId): Promise<void> {
  const look = await lookAtEnd(kernel, tenantId)
  await kernel.db.tenant({ tenantId }, async (tx) => {
    const before = await lastAuditCheck(tx)
    if (look === null) {
      // The log is empty; if there were calls before, they are missing.
      if (before !== null && isCountDue(before, kernel.clock)) await countAudited(tx, kernel.clock)
      return
    }
    await tx.execute(
      sql`
        insert into gateway_audit_check (checked_at, intact) values (${kernel.clock.iso()}, ${look.intact})
        on conflict (tenant_id) do update set checked_at = excluded.checked_at, intact = excluded.intact`,
    )
    if (look.fault !== null) await noteFault(tx, look.fault)
    if (!look.intact || before === null || isCountDue(before, kernel.clock)) await countAudited(tx, kernel.clock)
  })
}

interface Look {
  readonly intact: boolean
  readonly fault: AuditFault | null
}

/** Null if no call has to be in the chain yet. */
async function lookAtEnd({ db, chain, clock }: Kernel, tenantId: TenantId): Promise<Look | null> {
  const [last] = await db.read(
    tenantId,
    sql<{ audit_id: string | null }>`
      select audit_id from gateway_request where finished_at < ${settledBefore(clock)} order by id desc limit 1`,
  )
  if (last === undefined) return null
  const entry = last.audit_id === null ? null : await chain.entry(tenantId, last.audit_id)
  const { size } = await chain.head(tenantId)
  const at = clock.iso()
  const report = await chain.verify(tenantId, { fromSeq: Math.max(1, size - recomputed), toSeq: size })
  const fault = report.reason === null ? null : { ...report, reason: report.reason, at }
  return { intact: entry?.ok === true && report.verified, fault }
}

function isCountDue({ counted_at: counted }: AuditCheck, clock: Clock): boolean {
  return counted === null || Date.parse(counted) <= clock.now() - countEveryMs
}

/** Calls have ended since the last check, or the hourly count is due. A tenant without calls needs no check. */
export const someCallsUnchecked = ({ ago }: DueAt): SqlPart => sql`
  (exists (
    select from gateway_audit_check done
    where done.tenant_id = tenant.id and (done.counted_at is null or done.counted_at <= ${ago(countEveryMs)}))
  or exists (
    select from gateway_request call
    where call.tenant_id = tenant.id and call.created_at > coalesce(
      (select done.checked_at from gateway_audit_check done where done.tenant_id = tenant.id) - interval '1 day',
      '-infinity')
      and call.finished_at > coalesce(
        (select done.checked_at from gateway_audit_check done where done.tenant_id = tenant.id) - interval '1 minute',
        '-infinity')))`
