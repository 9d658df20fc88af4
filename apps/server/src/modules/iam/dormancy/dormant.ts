/**
 * Dormant accounts: warned first, suspended later, where a tenant or one above it asks for that. No account is
 * suspended without a warning some days before, the last active administrator never, and emergency accounts are left
 * alone. Using the account after the warning restarts the period. Tested in dormant.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import { userDormantWarned } from '../accounts/events.ts'
import { moveUser, type UserRow } from '../accounts/status.ts'
import { mailNotice } from '../mail/jobs.ts'
import { isNeededAdministrator } from '../rights/administrators.ts'
import type { IamServices } from '../services/iam-services.ts'
import { settingsOf } from '../settings/tenant-settings.ts'
import { users } from '../tables/users.ts'
import { breakGlass, lastUse } from './last-use.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const batch = 50
/** Minimum days from warning to suspension, also for accounts dormant before the rule was set. */
const noticeDays = 7

/** How long an account may be unused; null where no tenant sets a limit. */
export interface DormancyRule {
  readonly warnDays: number | null
  readonly suspendDays: number | null
}

/** Number of accounts processed, and the accounts that must not be suspended. */
interface Round {
  readonly done: number
  readonly kept: readonly string[]
}

interface DormantRow {
  readonly id: string
  readonly used_at: string
}

/** One tenant's round. A suspended tenant is skipped: its people cannot sign in, so none of them is dormant. */
export async function handleDormant(
  services: IamServices,
  work: { readonly tenantId: Tx['tenantId']; readonly signal: AbortSignal },
): Promise<void> {
  const { db } = services.kernel
  const inTenant = <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.tenant({ tenantId: work.tenantId }, run)
  const rule = await inTenant(ruleOf)
  if (rule === null) return
  for (let warned = batch; warned === batch && !work.signal.aborted; ) {
    warned = await inTenant((tx) => warnSome(services, tx, rule))
  }
  const kept: string[] = []
  for (let done = batch; done === batch && !work.signal.aborted; ) {
    const round = await inTenant((tx) => suspendSome(services, tx, { rule, kept }))
    kept.push(...round.kept)
    done = round.done
  }
}

async function ruleOf(tx: Tx): Promise<DormancyRule | null> {
  const tenant = await tx.first(sql<{ status: string }>`select status from iam_tenant where id = ${tx.tenantId}`)
  if (tenant?.status !== 'active') return null
  const { dormant_warn_days: warnDays, dormant_suspend_days: suspendDays } = await settingsOf(tx, tx.tenantId)
  return warnDays === null && suspendDays === null ? null : { warnDays, suspendDays }
}

/** Active accounts unused for so many days, the longest unused first: the last active person stays an administrator. */
function dormant(more: SqlPart, cutoff: string): SqlPart<DormantRow> {
  return sql<DormantRow>`
    select id, used_at
    from (
      select u.id, u.dormant_warned_at, ${lastUse} as used_at
      from iam_user u
      where u.status = 'active' and coalesce(u.last_active_at, u.created_at) <= ${cutoff} and not ${breakGlass}
    ) found
    where used_at <= ${cutoff} and ${more}
    order by used_at, id
    limit ${batch}`
}

const daysBefore = (now: number, days: number): string => new Date(now - days * dayMs).toISOString()

async function warnSome(services: IamServices, tx: Tx, rule: DormancyRule): Promise<number> {
  if (rule.warnDays === null) return 0
  const { clock } = services.kernel
  const unwarned = sql`(dormant_warned_at is null or dormant_warned_at < used_at)`
  const found = await tx.query(dormant(unwarned, daysBefore(clock.now(), rule.warnDays)))
  for (const one of found) await warn(services, tx, { one, rule })
  return found.length
}

async function warn(
  services: IamServices,
  tx: Tx,
  { one, rule }: { readonly one: DormantRow; readonly rule: DormancyRule },
): Promise<void> {
  const { clock } = services.kernel
  const user = await users.needForUpdate(tx, one.id)
  await tx.execute(sql`update iam_user set dormant_warned_at = ${clock.iso()} where id = ${user.id}`)
  const inactive = Math.floor((clock.now() - Date.parse(one.used_at)) / dayMs)
  await tx.emit(userDormantWarned, `user/${user.id}`, {
    user_id: user.id,
    inactive_days: inactive,
    suspended_from: suspensionOf(rule, { usedAt: Date.parse(one.used_at), warnedAt: clock.now() }),
  })
  const notice = rule.suspendDays === null ? 'dormant' : 'dormant_warned'
  await mailNotice(services, tx, { notice, userId: user.id, to: user.email })
  await tx.audit('iam.user.dormant_warn', { target: `user:${user.id}`, after: { inactive_days: inactive } })
}

const daysOfNotice = ({ warnDays, suspendDays }: DormancyRule): number =>
  Math.min(noticeDays, (suspendDays ?? 0) - (warnDays ?? 0))

function suspensionOf(rule: DormancyRule, times: { usedAt: number; warnedAt: number }): string | null {
  if (rule.suspendDays === null) return null
  const due = Math.max(times.usedAt + rule.suspendDays * dayMs, times.warnedAt + daysOfNotice(rule) * dayMs)
  return new Date(due).toISOString()
}

async function suspendSome(
  services: IamServices,
  tx: Tx,
  { rule, kept }: { readonly rule: DormancyRule; readonly kept: readonly string[] },
): Promise<Round> {
  if (rule.suspendDays === null) return { done: 0, kept: [] }
  const now = services.kernel.clock.now()
  const warned = sql`
    dormant_warned_at >= used_at and dormant_warned_at <= ${daysBefore(now, daysOfNotice(rule))}
    and id <> all(${kept}::uuid[])`
  const found = await tx.query(dormant(warned, daysBefore(now, rule.suspendDays)))
  const needed: string[] = []
  for (const { id } of found) if (!(await suspend(services, tx, id))) needed.push(id)
  return { done: found.length, kept: needed }
}

/** False for an administrator who has to stay. */
async function suspend(services: IamServices, tx: Tx, id: string): Promise<boolean> {
  if (await isNeededAdministrator(tx, id, services.kernel.clock.now())) return false
  const user = await users.needForUpdate(tx, id)
  if (user.status !== 'active' || wasUsed(user)) return true
  await moveUser(services, tx, { user, to: 'suspended', mover: 'clock', by: null, reason: 'dormant' })
  await mailNotice(services, tx, { notice: 'dormant_suspended', userId: id, to: user.email })
  await tx.audit('iam.user.dormant_suspend', {
    target: `user:${id}`,
    before: { status: user.status },
    after: { status: 'suspended' },
  })
  return true
}

/** Since the warning, in the moment between being found and being held. */
function wasUsed({ last_active_at: used, dormant_warned_at: warned }: UserRow): boolean {
  return used !== null && warned !== null && used > warned
}

const dormancy: JobDeclaration<IamServices> = {
  kind: 'iam.dormant',
  maxAttempts: 5,
  leaseMs: 5 * minuteMs,
  everyMs: 60 * minuteMs,
  run: ({ tenantId, services, signal }) => handleDormant(services, { tenantId, signal }),
}

export const dormancyJobs = [dormancy] as const
