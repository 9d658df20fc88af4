/**
 * The work on backups: making one and proving one. Promises that a row describes its file, and that a failure is
 * reported in words without names of machines. A broken attempt leaves no file; the next one makes all of it. Tested in
 * backups.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import type { MadeBackup } from '../../../kernel/backup/backups.ts'
import { BackupRefused } from '../../../kernel/backup/refused.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import { backupCompleted, backupFailed, restoreCompleted } from './events.ts'
import { placeOf } from './place.ts'
import { type BackupRow, backups } from './tables.ts'

export const makeKind = 'admin.backup.make'
export const verifyKind = 'admin.backup.verify'
const mostAttempts = 2

/** A large installation takes long, and two at once would only take turns at the disk. */
const long = {
  lane: 'long',
  maxAttempts: mostAttempts,
  leaseMs: 60_000,
  everyMs: null,
  deadlineMs: 86_400_000,
  mostAtOnce: 1,
} as const

export const backupJobs: readonly JobDeclaration<unknown>[] = [
  { ...long, kind: makeKind, run: make },
  { ...long, kind: verifyKind, run: verify },
]

type Context = JobContext<unknown>

export const idOf = ({ payload }: Pick<Context, 'payload'>): string => String(payload.backup_id)

function change(context: Context, changes: Partial<BackupRow>): Promise<void> {
  const { kernel, tenantId } = context
  return kernel.db.tenant({ tenantId }, (tx) =>
    backups.patch(tx, idOf(context), { ...changes, updated_at: kernel.clock.iso() }),
  )
}

async function make(context: Context): Promise<void> {
  const { kernel, tenantId, signal } = context
  const id = idOf(context)
  const row = await readRow(kernel, tenantId, id)
  if (row === null || (row.status !== 'queued' && row.status !== 'running')) return
  await change(context, { status: 'running', failure: null })
  try {
    const made = await placeOf(kernel, row.target).create({
      id,
      tenantId: row.kind === 'full' ? null : tenantId,
      signal,
      done: progressOf(context, row),
    })
    await complete(context, row, made)
  } catch (error) {
    await failed(context, row, 'The file could not be made.')
    throw error
  }
}

const progressEveryMs = 1_000

/**
 * In the backup's row and in the job's, when a second has passed. Nobody waits for it, and on the embedded database, whose
 * one connection reads the snapshot, nobody could write or read it.
 */
function progressOf(context: Context, row: BackupRow): (fraction: number) => void {
  const { kernel } = context
  let told = kernel.clock.monotonic()
  return (fraction) => {
    if (kernel.db.kind === 'pglite' || fraction >= 1 || kernel.clock.monotonic() - told < progressEveryMs) return
    told = kernel.clock.monotonic()
    const step = async () => {
      await kernel.db.tenant({ tenantId: context.tenantId }, (tx) =>
        tx.execute(sql`update admin_backup set progress = ${fraction} where id = ${row.id} and status = 'running'`),
      )
      await context.progress(fraction)
    }
    kernel.background('progress of a backup', step())
  }
}

export async function readRow(kernel: Kernel, tenantId: TenantId, id: string): Promise<BackupRow | null> {
  const rows = await kernel.db.read(
    tenantId,
    sql<BackupRow>`select ${backups.columns} from admin_backup where id = ${id}`,
  )
  return rows[0] ?? null
}

async function complete(
  { kernel, tenantId, payload, result }: Context,
  row: BackupRow,
  made: MadeBackup,
): Promise<void> {
  const facts = {
    size_bytes: made.bytes,
    sha256: made.sha256,
    schema_version: made.schemaVersion,
    tables: made.tables,
    rows: made.rows,
    audit_heads: [...made.auditHeads],
  }
  await kernel.db.tenant({ tenantId }, async (tx) => {
    const now = kernel.clock.iso()
    await backups.patch(tx, row.id, { ...facts, status: 'completed', progress: 1, updated_at: now })
    await tx.audit('admin.backup.complete', {
      target: `backup:${row.id}`,
      after: { status: 'completed', size_bytes: made.bytes, sha256: made.sha256, rows: made.rows },
    })
    await tx.emit(backupCompleted, row.id, {
      backup_id: row.id,
      kind: row.kind,
      size_bytes: made.bytes,
      sha256: made.sha256,
    })
    if (payload.verify === true) await tx.enqueue({ kind: verifyKind, payload: { backup_id: row.id } })
  })
  result({ backup_id: row.id, size_bytes: made.bytes, rows: made.rows })
}

/** A last attempt is a failure; before it the row waits. */
async function failed({ kernel, tenantId, attempt }: Context, row: BackupRow, failure: string): Promise<void> {
  const last = attempt >= mostAttempts
  await kernel.db.tenant({ tenantId }, async (tx) => {
    const status = last ? 'failed' : 'queued'
    await backups.patch(tx, row.id, { status, failure, updated_at: kernel.clock.iso() })
    if (!last) return
    await tx.audit('admin.backup.complete', { target: `backup:${row.id}`, after: { status }, result: 'failed' })
    await tx.emit(backupFailed, row.id, { backup_id: row.id, kind: row.kind, failure })
  })
}

async function verify(context: Context): Promise<void> {
  const { kernel, tenantId, result } = context
  const row = await readRow(kernel, tenantId, idOf(context))
  if (row === null || row.status !== 'completed') return
  const began = kernel.clock.monotonic()
  try {
    const checked = await placeOf(kernel, row.target).verify(row.id)
    const duration = Math.round(kernel.clock.monotonic() - began)
    await kernel.db.tenant({ tenantId }, async (tx) => {
      const now = kernel.clock.iso()
      await backups.patch(tx, row.id, { verified_at: now, failure: null, updated_at: now })
      await tx.audit('admin.backup.verify', { target: `backup:${row.id}`, after: { verified: true, ...checked } })
      const told = { backup_id: row.id, kind: row.kind, mode: 'verify', duration_ms: duration } as const
      await tx.emit(restoreCompleted, row.id, told)
    })
    result({ backup_id: row.id, verified: true, check: null, ...checked, duration_ms: duration })
  } catch (error) {
    if (!(error instanceof BackupRefused)) throw error
    await refused(context, row, { error, mode: 'verify' })
  }
}

const verdicts = { verify: 'verified', replace: 'replaced', copy: 'restored' } as const

/** That a backup is bad is a finding and no failure of the work. */
export async function refused(
  { kernel, tenantId, result }: Pick<Context, 'kernel' | 'tenantId' | 'result'>,
  row: BackupRow,
  { error, mode }: { readonly error: BackupRefused; readonly mode: 'verify' | 'replace' | 'copy' },
): Promise<void> {
  kernel.log.error({ err: error, backup: row.id }, 'a backup failed its verification')
  const failure = `The backup failed its check of ${error.check}.`
  await kernel.db.tenant({ tenantId }, async (tx) => {
    await backups.patch(tx, row.id, { verified_at: null, failure, updated_at: kernel.clock.iso() })
    await tx.audit(`admin.backup.${mode}`, {
      target: `backup:${row.id}`,
      after: { verified: false, check: error.check },
      result: 'failed',
    })
    await tx.emit(backupFailed, row.id, { backup_id: row.id, kind: row.kind, failure })
  })
  result({ backup_id: row.id, [verdicts[mode]]: false, check: error.check })
}
