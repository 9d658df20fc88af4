/**
 * Identity posture of a tenant, in counts: people with a second factor, unused accounts and keys, administrators and so
 * on. Measured once a day, kept for a year and published as an event, so that other modules can use it as
 * evidence. Tested in measure.test.ts.
 */
import { notHeld } from '../../../kernel/data-registry/holds.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { json, sql } from '../../../kernel/db/sql.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import { keptEnd } from '../api-keys/rules.ts'
import { breakGlass, lastUse } from '../dormancy/last-use.ts'
import { administeringRoles } from '../rights/administering-roles.ts'
import type { IamServices } from '../services/iam-services.ts'
import { settingsOf } from '../settings/tenant-settings.ts'
import { postureMeasured } from './events.ts'
import type { Posture } from './schema.ts'
import { postures } from './tables.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const [staleDays, idleDays] = [90, 30]

interface Account {
  readonly type: 'human' | 'service'
  readonly used_at: string
  readonly emergency: boolean
  readonly factors: readonly string[]
  readonly linked: boolean
  /** A provider reported two factors for them. */
  readonly vouched: boolean
  readonly roles: readonly string[]
}

/** Of the transaction's tenant, now. */
export async function measurePosture(tx: Tx, nowMs: number): Promise<Posture> {
  const [accounts, roles, settings] = await Promise.all([
    readAccounts(tx),
    administeringRoles(tx),
    settingsOf(tx, tx.tenantId),
  ])
  const before = (days: number): string => new Date(nowMs - days * dayMs).toISOString()
  const dormantBefore = before(settings.dormant_suspend_days ?? settings.dormant_warn_days ?? staleDays)
  const count = (which: readonly Account[], test: (account: Account) => boolean = () => true) =>
    which.filter(test).length
  const people = accounts.filter(({ type }) => type === 'human')
  const services = accounts.filter(({ type }) => type === 'service')
  const administrators = people.filter((account) => account.roles.some((id) => roles.has(id)))
  const isDormant = ({ used_at, emergency }: Account) => used_at < dormantBefore && !emergency
  return {
    people: people.length,
    people_with_second_factor: count(people, ({ factors }) => factors.length > 0),
    people_with_passkey: count(people, ({ factors }) => factors.includes('passkey')),
    people_of_sso: count(people, ({ linked }) => linked),
    people_dormant: count(people, isDormant),
    administrators: administrators.length,
    administrators_without_second_factor: count(
      administrators,
      ({ factors, vouched }) => factors.length === 0 && !vouched,
    ),
    administrators_idle: count(administrators, ({ used_at, emergency }) => used_at < before(idleDays) && !emergency),
    service_accounts: services.length,
    service_accounts_dormant: count(services, isDormant),
    ...(await keysAndReviews(tx, { now: before(0), stale: before(staleDays) })),
  }
}

function readAccounts(tx: Tx): Promise<readonly Account[]> {
  return tx.query(sql<Account>`
    select u.type, ${lastUse} as used_at, ${breakGlass} as emergency,
      array(select distinct f.kind from iam_factor f
        where f.tenant_id = u.tenant_id and f.user_id = u.id and f.status = 'active') as factors,
      exists (select 1 from iam_sso_identity i where i.tenant_id = u.tenant_id and i.user_id = u.id) as linked,
      exists (select 1 from iam_session s
        where s.tenant_id = u.tenant_id and s.user_id = u.id and s.created_via like 'sso:%' and 'mfa' = any(s.amr)) as vouched,
      array(select g.role_id from iam_user_role g
        where g.tenant_id = u.tenant_id and g.user_id = u.id) as roles
    from iam_user u
    where u.status = 'active'`)
}

type KeysAndReviews = Pick<Posture, 'keys' | 'keys_stale' | 'keys_old' | 'keys_without_expiry' | 'reviews_overdue'>

async function keysAndReviews(tx: Tx, at: { readonly now: string; readonly stale: string }): Promise<KeysAndReviews> {
  const row = await tx.first(sql<KeysAndReviews>`
    select count(*)::int as keys,
      count(*) filter (where coalesce(last_used_at, created_at) < ${at.stale})::int as keys_stale,
      count(*) filter (where created_at < ${at.stale})::int as keys_old,
      count(*) filter (where expires_at = ${keptEnd(null)})::int as keys_without_expiry,
      (select count(*)::int from iam_access_review where status = 'open' and due_at < ${at.now}) as reviews_overdue
    from iam_api_key
    where revoked_at is null and expires_at > ${at.now}`)
  return row ?? { keys: 0, keys_stale: 0, keys_old: 0, keys_without_expiry: 0, reviews_overdue: 0 }
}

/** Today's posture, unless it was recorded before; answers whether it was now. */
export async function recordPosture({ kernel }: IamServices, tx: Tx): Promise<boolean> {
  const now = kernel.clock.iso()
  const day = now.slice(0, 10)
  const known = await tx.first(sql`select 1 as known from iam_posture where day = ${day}`)
  if (known !== null) return false
  const posture = await measurePosture(tx, kernel.clock.now())
  const added = await tx.execute(sql`
    insert into iam_posture (day, posture, measured_at) values (${day}, ${json(posture)}::jsonb, ${now})
    on conflict (tenant_id, day) do nothing`)
  if (added === 0) return false
  await tx.emit(postureMeasured, `iam/posture/${day}`, { day, ...posture })
  await tx.execute(
    sql`delete from iam_posture
      where day < ${new Date(kernel.clock.now() - 365 * dayMs).toISOString().slice(0, 10)} and ${notHeld(postures)}`,
  )
  return true
}

const record: JobDeclaration<IamServices> = {
  kind: 'iam.posture',
  maxAttempts: 5,
  leaseMs: 5 * minuteMs,
  everyMs: 6 * 60 * minuteMs,
  run: async ({ tenantId, services }) => {
    await services.kernel.db.tenant({ tenantId }, (tx) => recordPosture(services, tx))
  },
}

export const postureJobs = [record] as const
