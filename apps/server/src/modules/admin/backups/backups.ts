/**
 * Backups as a resource: asked for, listed, proven. Promises that tenants see and make backups of their own rows alone
 * and that one of the whole installation is for operators, one at a time. Tested in backups.test.ts.
 */
import type { Actor } from '../../../kernel/auth/actor.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors, authErrors } from '../../../kernel/http/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { errors } from '../errors.ts'
import { makeKind, verifyKind } from './run.ts'
import type { Backup, BackupFilter, NewBackup, RestoreJob } from './schema.ts'
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

/** @throws ADM-010, ADM-011, AUTH-004 for a backup of everything by who does not operate it */
export async function createBackup(kernel: Kernel, scope: TenantScope, { actor, body }: Asked): Promise<Backup> {
  if (body.kind === 'full' && !actor.operator) throw authErrors.forbidden({ permission: 'super_admin' })
  await kernel.backups.checkTarget().catch((error: unknown) => {
    throw errors.backupTarget({ why: 'the folder cannot be written to' }).causedBy(error)
  })
  return kernel.db.tenant(scope, async (tx) => {
    await tx.lock('admin_backup', body.kind)
    const waiting = await tx.first(sql<{ count: number }>`
      select count(*)::int as count from admin_backup where kind = ${body.kind} and status in ('queued', 'running')`)
    if ((waiting?.count ?? 0) >= (body.kind === 'full' ? 1 : mostWaiting)) throw errors.backupRunning()
    const row = newRow(kernel, actor, body)
    await backups.insert(tx, row)
    await tx.enqueue({ kind: makeKind, payload: { backup_id: row.id, verify: body.verify ?? false } })
    await tx.audit('admin.backup.create', {
      target: `backup:${row.id}`,
      after: { kind: row.kind, target: row.target, verify: body.verify ?? false },
    })
    return backupView(row)
  })
}

function newRow({ clock, random }: Kernel, actor: Actor, body: NewBackup): BackupRow {
  const now = clock.iso()
  const nothing = { size_bytes: null, sha256: null, schema_version: null, tables: null, rows: null, audit_heads: null }
  return {
    ...{ tenant_id: actor.tenantId, id: random.uuid(), kind: body.kind, target: body.target ?? 'local' },
    ...{ status: 'queued', progress: 0, ...nothing, failure: null, verified_at: null },
    ...{ created_by: actor.userId, created_at: now, updated_at: now },
  }
}

/** @throws ADM-012 for a file that is gone or another one, API-011 for a backup that is not there yet, API-013 */
export async function verifyBackup(kernel: Kernel, scope: TenantScope, id: string): Promise<RestoreJob> {
  const size = await kernel.backups.size(id)
  return kernel.db.tenant(scope, async (tx) => {
    const row = await backups.need(tx, id)
    if (row.status !== 'completed') throw apiErrors.conflict({ what: `This backup is ${row.status}.` })
    if (size !== row.size_bytes) throw errors.backupUnverified({ check: 'file' })
    const job = kernel.random.uuid()
    await tx.enqueue({ id: job, kind: verifyKind, payload: { backup_id: id } })
    await tx.audit('admin.backup.restore', { target: `backup:${id}`, after: { mode: 'verify', job_id: job } })
    return { id: job, backup_id: id, mode: 'verify', status: 'queued' }
  })
}
