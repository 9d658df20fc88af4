/**
 * Replaces everything by a backup. Promises that maintenance continues afterwards, so that the operator can check the
 * result before others sign in; that every tenant's log records it; and that all sessions end. A crash leaves either
 * the old state or the complete new one. Tested in replace.test.ts.
 */
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { BackupRefused } from '../../../kernel/backup/refused.ts'
import type { Replaced } from '../../../kernel/backup/replace.ts'
import type { Database } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { JobContext, JobDeclaration } from '../../../kernel/module/module.ts'
import { maintenance } from '../../../kernel/settings/kernel-settings.ts'
import type { IamApi } from '../../iam/api.ts'
import { type SettingRow, settingRows } from '../config/tables.ts'
import type { AdminServices } from '../services/admin-services.ts'
import { restoreCompleted } from './events.ts'
import { placeOf } from './place.ts'
import { idOf, readRow, refused } from './run.ts'
import { type BackupRow, backups } from './tables.ts'

export const replaceKind = 'admin.backup.replace'

type Context = JobContext<AdminServices>
type Facts = Replaced & Awaited<ReturnType<IamApi['settleRestored']>>

/** Once: after a crash it is an operator who decides whether to try again. */
export const replaceJob: JobDeclaration<AdminServices> = {
  kind: replaceKind,
  lane: 'long',
  maxAttempts: 1,
  leaseMs: 60_000,
  everyMs: null,
  deadlineMs: 86_400_000,
  run: replace,
}

async function replace(context: Context): Promise<void> {
  const { kernel, tenantId, services } = context
  const row = await readRow(kernel, tenantId, idOf(context))
  if (row === null || row.status !== 'completed') return
  const began = kernel.clock.monotonic()
  try {
    if (!kernel.gate.closed()) throw new BackupRefused('maintenance', 'the installation was opened meanwhile')
    const held = await heldSettings(context)
    await placeOf(kernel, row.target).replace({
      id: row.id,
      job: { id: context.id, tenantId },
      prepare: (state) => services.iam.settleRestored(state),
      done: context.progress,
      conclude: async (db, facts) => {
        const took = { duration_ms: Math.round(kernel.clock.monotonic() - began) }
        await keepClosed(db, held)
        await tell(context, db, { row, facts, ...took })
        const { madeAt, chainsOfBackup, tenants, ...counts } = facts
        const result = { ...counts, tenants: tenants.length, logs_of_backup: chainsOfBackup.length, made_at: madeAt }
        return { backup_id: row.id, replaced: true, check: null, ...result, ...took }
      },
    })
  } catch (error) {
    if (!(error instanceof BackupRefused)) {
      await broken(context, row)
      throw error
    }
    await refused(context, row, { error, mode: 'replace' })
  }
}

function broken({ kernel, tenantId }: Context, row: BackupRow): Promise<void> {
  return kernel.db.tenant({ tenantId }, (tx) =>
    tx.audit('admin.backup.replace', { target: `backup:${row.id}`, after: { mode: 'replace' }, result: 'failed' }),
  )
}

interface Held {
  readonly maintenance: SettingRow | null
  readonly revision: number
}

function heldSettings({ kernel }: Context): Promise<Held> {
  return kernel.db.system('settings that stay', async (tx) => ({
    maintenance: await tx.first(sql<SettingRow>`
      select ${settingRows.columns} from admin_setting
      where tenant_id = ${platformTenant} and key = ${maintenance.key}`),
    revision:
      (await tx.first(sql<{ revision: number }>`select revision from admin_config_head where scope = 'all'`))
        ?.revision ?? 0,
  }))
}

/** Revisions continue from the higher of both: a cached copy of an old one must not pass for the present. */
function keepClosed(db: Database, held: Held): Promise<void> {
  return db.tenant({ tenantId: platformTenant }, async (tx) => {
    const head = await tx.first(sql<{ revision: number }>`
      update admin_config_head set revision = greatest(revision, ${held.revision}) + 1 where scope = 'all'
      returning revision`)
    const revision = head?.revision ?? held.revision + 1
    await tx.execute(sql`
      insert into admin_config_head (scope, revision) values (${platformTenant}::text, ${revision})
      on conflict (scope) do update set revision = excluded.revision`)
    await tx.execute(sql`delete from admin_setting where key = ${maintenance.key}`)
    if (held.maintenance !== null) await settingRows.insert(tx, { ...held.maintenance, revision })
  })
}

interface Telling {
  readonly row: BackupRow
  readonly facts: Facts
  readonly duration_ms: number
}

async function tell({ kernel, tenantId: own }: Context, db: Database, told: Telling): Promise<void> {
  const { row, facts } = told
  const counts = { people_erased: facts.people_erased, keys_revoked: facts.keys_revoked }
  for (const tenantId of [platformTenant, ...facts.tenants]) {
    await db.tenant({ tenantId }, async (tx) => {
      const log = facts.chainsOfBackup.includes(tenantId) ? 'backup' : 'kept'
      const after = { mode: 'replace', made_at: facts.madeAt, log, ...(tenantId === own ? counts : {}) }
      await tx.audit('admin.backup.replace', { target: `backup:${row.id}`, after })
    })
  }
  await db.tenant({ tenantId: own }, async (tx) => {
    const now = kernel.clock.iso()
    await backups.patch(tx, row.id, { verified_at: now, failure: null, updated_at: now })
    const { duration_ms } = told
    await tx.emit(restoreCompleted, row.id, { backup_id: row.id, kind: row.kind, mode: 'replace', duration_ms })
  })
  await db.tenant({ tenantId: platformTenant }, (tx) => kernel.auth.revoke(tx, 'platform', 'all'))
}
