/**
 * Restores a tenant as a copy beside the original. Promises that the new tenant exists whole or not at all, shares no
 * id, key or credential with its source, and names its source in the first entry of its own log. Not copied:
 * credentials, federated sign-in, the call log and spending, reviews, exports and the audit log, which stays in the
 * source and the backup. Tested in copy.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { BackupRefused } from '../../../kernel/backup/refused.ts'
import type { RestoredState } from '../../../kernel/backup/replace.ts'
import { copyTenant, logHead } from '../../../kernel/backup/tenant-copy.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import { settingsTopic } from '../config/store.ts'
import type { AdminServices } from '../services/admin-services.ts'
import { restoreCompleted } from './events.ts'
import { placeOf } from './place.ts'
import { idOf, readRow, refused } from './run.ts'
import type { BackupRow } from './tables.ts'

export const copyKind = 'admin.backup.copy'

type Context = JobContext<AdminServices>

/** Once: a second run after a crash would find the slug taken by the first. */
export const copyJob: JobDeclaration<AdminServices> = {
  kind: copyKind,
  lane: 'long',
  maxAttempts: 1,
  leaseMs: 60_000,
  everyMs: null,
  run: copy,
}

export interface CopyOrder {
  readonly backup_id: string
  readonly source: TenantId
  readonly into: TenantId
  readonly parent: TenantId
  readonly name: string
  readonly slug: string
}

async function copy(context: Context): Promise<void> {
  const { kernel, tenantId } = context
  const order = context.payload as unknown as CopyOrder
  const row = await readRow(kernel, tenantId, idOf(context))
  if (row === null || row.status !== 'completed') return
  const began = kernel.clock.monotonic()
  try {
    const made = await placeOf(kernel, row.target).withState(row.id, (state) => adopt(context, order, state))
    const duration = Math.round(kernel.clock.monotonic() - began)
    await kernel.db.tenant({ tenantId }, async (tx) => {
      await tx.audit('admin.backup.copy', {
        target: `backup:${row.id}`,
        after: { mode: 'as_new_tenant', source: order.source, tenant_id: order.into, slug: order.slug, ...made },
      })
      await tx.emit(restoreCompleted, row.id, toldOf(row, duration))
    })
    const result = { restored: true, check: null, tenant_id: order.into, ...made, duration_ms: duration }
    context.result({ backup_id: row.id, ...result })
  } catch (error) {
    if (!(error instanceof BackupRefused)) throw error
    await refused(context, row, { error, mode: 'copy' })
  }
}

/** Instances read what is newer than they hold, and the copied settings are old. */
async function tellSettings(tx: Tx): Promise<void> {
  const head = await tx.first(sql<{ revision: number }>`
    update admin_config_head set revision = revision + 1 where scope = 'all' returning revision`)
  const revision = head?.revision ?? 1
  await tx.execute(sql`insert into admin_config_head (scope, revision) values (${tx.tenantId}, ${revision})`)
  await tx.execute(sql`update admin_setting set revision = ${revision}`)
  await tx.announce(settingsTopic, tx.tenantId)
}

const toldOf = (row: BackupRow, duration_ms: number) =>
  ({ backup_id: row.id, kind: row.kind, mode: 'as_new_tenant', duration_ms }) as const

async function adopt({ kernel, services: { iam } }: Context, order: CopyOrder, state: RestoredState) {
  const { source, into, parent: parentId, name, slug } = order
  await iam.prepareCopy(state, source)
  const head = await logHead(state, source)
  return kernel.db.tenant({ tenantId: into }, async (tx) => {
    await iam.adoptTenant(tx, { name, slug, parentId })
    const { tables, sealed, random, tenantKeys } = kernel
    const rows = await copyTenant(state, tx, { source, into, tables, sealed, random, tenantKeys })
    const people = await iam.closeAccounts(tx)
    await tellSettings(tx)
    const log = { source_log_size: head?.size ?? 0, source_log_head: head?.hash ?? null }
    const after = { mode: 'as_new_tenant', source, made_at: state.preface.created_at, rows, people, ...log }
    await tx.audit('admin.backup.copy', { target: `backup:${order.backup_id}`, after })
    return { rows, people }
  })
}
