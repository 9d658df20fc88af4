/**
 * Backups as a resource: asked for, listed, proven. Promises that tenants see and make backups of their own rows alone
 * and that one of the whole installation is for operators, one at a time. Tested in backups.test.ts.
 */
import type { Actor, TenantId } from '../../../kernel/access/actor.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { errors } from '../errors/errors.ts'
import { placeOf } from './place.ts'
import { makeKind } from './run.ts'
import type { Backup, BackupFilter, NewBackup } from './schema.ts'
import { type BackupRow, backups } from './tables.ts'

/** Backups of one tenant that may wait at a time. */
const mostWaiting = 20

function backupView(row: BackupRow): Backup {
  return { ...row, encrypted: true }
}

export async function listBackups(
  { clock }: Pick<Kernel, 'clock'>,
  tx: Tx,
  { filter, page }: { readonly filter: BackupFilter; readonly page: PageRequest },
): Promise<{ readonly page: Page<Backup>; readonly newestVerifiedAgeSeconds: number | null }> {
  const where: SqlPart[] = [sql`true`]
  if (filter.id !== undefined) where.push(sql`id = ${filter.id}`)
  if (filter.status !== undefined) where.push(sql`status = ${filter.status}`)
  if (filter.kind !== undefined) where.push(sql`kind = ${filter.kind}`)
  const found = await backups.page(tx, page, join(where, ' and '))
  const newest = await tx.first(sql<{ at: string | null }>`
    select max(created_at) as at from admin_backup where verified_at is not null and status = 'completed'`)
  const at = newest?.at ?? null
  return {
    page: { ...found, items: found.items.map(backupView) },
    newestVerifiedAgeSeconds: at === null ? null : Math.max(0, Math.round((clock.now() - Date.parse(at)) / 1000)),
  }
}

interface Asked {
  readonly actor: Actor
  readonly body: NewBackup
}

/** @throws ADM-010, ADM-011, AUTH-004 when a caller who is no operator asks for a backup of everything */
export async function createBackup(kernel: Kernel, scope: TenantScope, { actor, body }: Asked): Promise<Backup> {
  if (body.kind === 'full' && !actor.operator) throw authErrors.forbidden({ permission: 'super_admin' })
  await assertTarget(kernel, body.target ?? 'local')
  return kernel.db.tenant(scope, async (tx) => {
    const { kind, target = 'local', verify = false } = body
    return backupView(await enqueueBackup(kernel, tx, { kind, target, verify, by: actor.userId }))
  })
}

/** @throws ADM-011 */
async function assertTarget(kernel: Kernel, target: BackupRow['target']): Promise<void> {
  const place = placeOf(kernel, target)
  await place.check().catch((error: unknown) => {
    const why = target === 'local' ? 'the folder cannot be written to' : 'the bucket does not answer as one does'
    throw errors.backupTarget({ why }).causedBy(error)
  })
}

interface Wanted extends Pick<BackupRow, 'kind' | 'target'> {
  readonly verify: boolean
  /** Null for the schedule. */
  readonly by: string | null
}

/** @throws ADM-010 */
export async function enqueueBackup(kernel: Kernel, tx: Tx, wanted: Wanted): Promise<BackupRow> {
  const { kind, target, verify } = wanted
  await tx.lock('admin_backup', kind)
  const waiting = await tx.first(sql<{ count: number }>`
    select count(*)::int as count from admin_backup where kind = ${kind} and status in ('queued', 'running')`)
  if ((waiting?.count ?? 0) >= (kind === 'full' ? 1 : mostWaiting)) throw errors.backupRunning()
  const row = newRow(kernel, tx.tenantId, wanted)
  await backups.insert(tx, row)
  await tx.enqueue({ kind: makeKind, payload: { backup_id: row.id, verify } })
  await tx.audit('admin.backup.create', { target: `backup:${row.id}`, after: { kind, target, verify } })
  return row
}

function newRow({ clock, random }: Kernel, tenantId: TenantId, { kind, target, by }: Wanted): BackupRow {
  const now = clock.iso()
  const nothing = { size_bytes: null, sha256: null, schema_version: null, tables: null, rows: null, audit_heads: null }
  return {
    ...{ tenant_id: tenantId, id: random.uuid(), kind, target },
    ...{ status: 'queued', progress: 0, ...nothing, failure: null, verified_at: null },
    ...{ created_by: by, created_at: now, updated_at: now },
  }
}
