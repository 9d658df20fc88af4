/**
 * Applies changes whose time has come, once a minute, each in its order. A change that does not fit the flag any more is
 * dropped and left in the audit log. Tested in flags.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { DueAt, JobDeclaration } from '../../../kernel/module/module.ts'
import { change, type Held, holdAll } from '../../../kernel/resource/resource.ts'
import type { AdminServices } from '../services/admin-services.ts'
import { flagResource, mayBecome, tell } from './flags.ts'
import { flagProblems } from './judge.ts'
import type { FlagRow, Scheduled } from './schemas/flags.ts'

export const scheduleJob: JobDeclaration<AdminServices> = {
  kind: 'admin.flags.schedule',
  maxAttempts: 3,
  leaseMs: 30_000,
  everyMs: 60_000,
  due: someChangesDue,
  run: ({ tenantId, kernel }) => applySchedules(kernel, tenantId),
}

/** The same for flags of the platform. */
export const platformScheduleJob: JobDeclaration<AdminServices> = {
  ...scheduleJob,
  kind: 'admin.flags.schedule_platform',
  ofInstallation: true,
}

export async function applySchedules({ db, clock }: Pick<Kernel, 'db' | 'clock'>, tenantId: TenantId): Promise<void> {
  await db.tenant({ tenantId }, async (tx) => {
    const where = sql`
      schedule <> '[]'::jsonb and status <> 'archived' and exists (
        select from jsonb_array_elements(schedule) entry where (entry ->> 'at')::timestamptz <= ${clock.iso()}::timestamptz)`
    for (const held of await holdAll(tx, flagResource, { where, limit: 500 })) await applyDue({ clock }, tx, held)
  })
}

async function applyDue(kernel: Pick<Kernel, 'clock'>, tx: Tx, held: Held<FlagRow>): Promise<void> {
  const { row } = held
  const nowMs = kernel.clock.now()
  const due = row.schedule
    .filter((entry) => Date.parse(entry.at) <= nowMs)
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  if (due.length === 0) return
  const schedule = row.schedule.filter((entry) => !due.includes(entry))
  const changed = due.reduce(changedBy, { ...row, schedule })
  const fits = flagProblems(changed).length === 0 && mayBecome(row.status, changed.status)
  const { status, default_variant, rules } = changed
  const after = await change(kernel, tx, held, {
    action: fits ? 'admin.flag.scheduled' : 'admin.flag.schedule_dropped',
    changes: fits ? { schedule, status, default_variant, rules } : { schedule },
  })
  await tell(tx, after, 'scheduled')
}

function changedBy(row: FlagRow, scheduled: Scheduled): FlagRow {
  const { status = row.status, default_variant = row.default_variant, rule_id, rollout_percentage } = scheduled.change
  const rules =
    rollout_percentage === undefined
      ? row.rules
      : row.rules.map((rule) => (rule.id === rule_id ? { ...rule, rollout_percentage } : rule))
  return { ...row, status, default_variant, rules }
}

function someChangesDue({ now }: DueAt): SqlPart {
  return sql`
    exists (
      select from admin_flag flag, jsonb_array_elements(flag.schedule) entry
      where flag.tenant_id = tenant.id and flag.schedule <> '[]'::jsonb and flag.status <> 'archived'
        and (entry ->> 'at')::timestamptz <= ${now}::timestamptz)`
}
