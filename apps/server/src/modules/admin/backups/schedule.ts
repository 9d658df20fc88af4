/**
 * Scheduled backups: made by a schedule, reported when one was missed, removed when they are past their time.
 * One instance at a time compares the schedule with its setting, every five minutes. Promises that the newest proven
 * backup is never removed.
 * Tested in schedule.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import { armSchedule, disarmSchedule, scheduledRun } from '../../../kernel/schedules/schedules.ts'
import type { AdminServices } from '../services/admin-services.ts'
import { enqueueBackup } from './backups.ts'
import { backupMissed } from './events.ts'
import { placeOf } from './place.ts'
import { backupBucket, backupRetention, backupSchedule } from './settings.ts'
import { type BackupRow, backups } from './tables.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const lookEveryMs = 300_000

/** The one schedule of backups, of the tenant that came first. */
export const backupKey = { owner: 'admin', key: 'backup' } as const
const dueKind = 'admin.backup.due'

export const scheduleBackups: JobDeclaration<AdminServices> = {
  kind: 'admin.backup.schedule',
  maxAttempts: 1,
  leaseMs: 60_000,
  everyMs: lookEveryMs,
  ofInstallation: true,
  run: async ({ services }) => {
    await armBackups(services)
    await expireOld(services.kernel)
  },
}

export const dueBackup: JobDeclaration<AdminServices> = {
  kind: dueKind,
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: null,
  run: async ({ services, tenantId, payload }) => {
    await makeDue(services, { tenantId, missed: scheduledRun(payload)?.missed ?? 0 })
  },
}

interface Latest {
  readonly status: BackupRow['status']
  readonly created_at: string
}

const latestBackup = ({ db }: Kernel): Promise<Latest | null> =>
  db.system('latest backup', (tx) =>
    tx.first(sql<Latest>`
      select status, created_at from admin_backup where kind = 'full' order by created_at desc limit 1`),
  )

/** Lets the schedule be as the setting says, whether a person, the environment or a file has said it. */
export async function armBackups({ kernel, iam }: AdminServices): Promise<void> {
  await kernel.settings.ready()
  const tenantId = await iam.firstTenant()
  if (tenantId === null) return
  const setting = kernel.settings.get(backupSchedule, null)
  if (setting === null) return void (await kernel.db.tenant({ tenantId }, (tx) => disarmSchedule(tx, backupKey)))
  const everyMs = setting.every_hours * hourMs
  const latest = await latestBackup(kernel)
  const now = kernel.clock.now()
  const firstAt = latest === null ? now : Math.max(now, Date.parse(latest.created_at) + everyMs)
  await kernel.db.tenant({ tenantId }, (tx) =>
    armSchedule(kernel, tx, { ...backupKey, kind: dueKind, timing: { everyMs }, firstAt }),
  )
}

interface DueRun {
  readonly tenantId: TenantId
  /** Runs missed while no process was running. */
  readonly missed: number
}

const unfinished: readonly BackupRow['status'][] = ['failed', 'queued', 'running']

/** Answers the id of the backup that was asked for, null where none is needed. */
async function makeDue({ kernel, iam }: AdminServices, run: DueRun): Promise<string | null> {
  await kernel.settings.ready()
  const schedule = kernel.settings.get(backupSchedule, null)
  if (schedule === null || run.tenantId !== (await iam.firstTenant())) return null
  const latest = await latestBackup(kernel)
  const age = latest === null ? Number.POSITIVE_INFINITY : kernel.clock.now() - Date.parse(latest.created_at)
  // One that a person asked for in the second half of the period is that of the schedule.
  if (latest?.status !== 'failed' && age < (schedule.every_hours * hourMs) / 2) return null
  const missed = latest !== null && (unfinished.includes(latest.status) || run.missed > 0) ? latest.created_at : null
  return ask(kernel, run.tenantId, { everyHours: schedule.every_hours, verify: schedule.verify, missed })
}

interface Due {
  readonly everyHours: number
  readonly verify: boolean
  /** When the last one was begun that has an end, where the one after it is not there. */
  readonly missed: string | null
}

/** The bucket, where there is one: a backup beside the database goes with it. */
const targetOf = ({ settings }: Kernel): BackupRow['target'] =>
  settings.get(backupBucket, null) === null ? 'local' : 's3'

/** One that is still running is a missed one too, and no second one is begun beside it. */
function ask(kernel: Kernel, tenantId: TenantId, due: Due): Promise<string | null> {
  return kernel.db.tenant({ tenantId }, async (tx) => {
    const asked = { kind: 'full', target: targetOf(kernel), verify: due.verify } as const
    const row = await enqueueBackup(kernel, tx, { ...asked, by: null }).catch((error: unknown) => {
      if (due.missed === null) throw error
      return null
    })
    if (due.missed !== null)
      await tx.emit(backupMissed, 'installation', { every_hours: due.everyHours, last_at: due.missed })
    return row?.id ?? null
  })
}

interface Kept {
  readonly tenant_id: TenantId
  readonly id: string
  readonly target: BackupRow['target']
  readonly created_at: string
}

/** The file goes first: a row whose file is gone is found again, a file without a row is not. */
export async function expireOld(kernel: Kernel): Promise<number> {
  await kernel.settings.ready()
  const { keep_last: last, keep_days: days } = kernel.settings.get(backupRetention, null)
  if (last === null && days === null) return 0
  const before = new Date(kernel.clock.now() - (days ?? 0) * dayMs).toISOString()
  const past = await kernel.db.system('backups past their time', (tx) =>
    tx.query(sql<Kept>`
      with placed as (
        select tenant_id, id, target, created_at,
          row_number() over (partition by kind, case when kind = 'tenant' then tenant_id end
            order by created_at desc) as place,
          row_number() over (partition by kind, case when kind = 'tenant' then tenant_id end
            order by verified_at is null, created_at desc) as proven_place, verified_at
        from admin_backup where status = 'completed')
      select tenant_id, id, target, created_at from placed
      where place > ${last ?? 0} and created_at < ${before} and not (proven_place = 1 and verified_at is not null)
      order by created_at limit 500`),
  )
  for (const backup of past) await expire(kernel, backup)
  return past.length
}

async function expire(kernel: Kernel, { tenant_id: tenantId, id, target, created_at }: Kept): Promise<void> {
  await placeOf(kernel, target).remove(id)
  await kernel.db.tenant({ tenantId }, async (tx) => {
    await backups.patch(tx, id, { status: 'expired', updated_at: kernel.clock.iso() })
    await tx.audit('admin.backup.expire', {
      target: `backup:${id}`,
      before: { status: 'completed', created_at },
      after: { status: 'expired' },
    })
  })
}
