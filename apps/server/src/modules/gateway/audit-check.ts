import type { TenantId } from '../../kernel/auth/actor.ts'
import type { Tx } from '../../kernel/db/port.ts'
import { sql } from '../../kernel/db/sql.ts'
import type { Kernel } from '../../kernel/kernel.ts'

/** Entries at the end of the chain that are recomputed in one check; the whole chain is the administrator's check. */
const recomputed = 2000

export interface AuditCheck {
  readonly checked_at: string
  readonly intact: boolean
}

/** Recomputes the end of the tenant's chain and looks for logged calls without their audit entry; keeps the result. */
export async function checkAudit(kernel: Kernel, tenantId: TenantId): Promise<void> {
  const newest = await kernel.db.read(
    tenantId,
    sql<{ audit_id: string }>`
      select audit_id from gateway_request where audit_id is not null and finished_at < ${settledBefore(kernel)}
      order by id desc limit 1`,
  )
  const [last] = newest
  if (last === undefined) return
  const entry = await kernel.chain.entry(tenantId, last.audit_id)
  const fromSeq = entry === null ? 1 : Math.max(1, entry.seq - recomputed)
  const report = entry === null ? null : await kernel.chain.verify(tenantId, { fromSeq, toSeq: entry.seq })
  const intact = entry?.ok === true && report?.verified === true
  await kernel.db.tenant({ tenantId }, async (tx) => {
    await tx.execute(
      sql`
        insert into gateway_audit_check (checked_at, intact) values (${kernel.clock.iso()}, ${intact})
        on conflict (tenant_id) do update set checked_at = excluded.checked_at, intact = excluded.intact`,
    )
  })
}

/** Seals follow within a second; a call this old, in milliseconds, must have its place in the chain. */
const settledMs = 30_000

function settledBefore({ clock }: Kernel): string {
  return new Date(clock.now() - settledMs).toISOString()
}

export function lastAuditCheck(tx: Tx): Promise<AuditCheck | null> {
  return tx.first(sql<AuditCheck>`select checked_at, intact from gateway_audit_check`)
}
