/**
 * Finds the account for a sign-in, with the same statements whether there is one or not. It only decides whether the
 * account's status allows signing in. Tested in login.test.ts and sameness.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { directoryDigest } from '../directory/directory.ts'
import { emailKey } from '../directory/email-address.ts'
import { uuidPattern } from '../directory/tenant-id.ts'
import { assertNotBlocked, guardState } from '../guessing/guard.ts'
import type { FactorKind } from '../schemas/factor-kinds.ts'
import type { SettingValues } from '../schemas/tenants.ts'

export interface Account {
  readonly id: string
  readonly email: string
  readonly status: string
  readonly expires_at: string | null
  readonly password_hash: string | null
  readonly password_expires_at: string | null
  readonly mfa_deadline: string | null
  /** Kinds of the active second factors. */
  readonly methods: readonly FactorKind[]
  readonly tenant_status: string
  readonly settings: readonly SettingValues[]
}

export interface HomedAccount extends Account {
  readonly home: TenantId
}

export interface Search {
  /** Of the guard that slows guessing down. */
  readonly digest: string
  readonly email: string
  readonly tenantHeader: string | undefined
}

/**
 * Which of an address's accounts is meant where no tenant is named: the one in the tenant that has proven the address's
 * domain, else the one that was signed in to last. For statements on `entry` of the directory.
 */
export const placeOrder = (domain: string): SqlPart => sql`
  exists (
    select from iam_sso_directory proven
    where proven.kind = 'domain' and proven.name = ${domain} and proven.home = entry.home) desc,
  entry.last_used_at desc nulls last, entry.home`

export const domainOf = (key: string): string => key.slice(key.lastIndexOf('@') + 1)

/** The tenant the caller names, else the one of the address's proven domain, else the last one. @throws AUTH-008 */
export async function findHome(kernel: Kernel, search: Search): Promise<TenantId | null> {
  const key = emailKey(search.email)
  const entry = directoryDigest(kernel.platformKeys, 'email', key)
  const named = search.tenantHeader
  const wanted = named === undefined ? sql`true` : sql`home = ${uuidPattern.test(named) ? named : platformTenant}`
  const [row] = await kernel.db.read(
    platformTenant,
    sql<{ failures: readonly number[] | null; blocked_until: string | null; home: TenantId | null }>`
      select guard.failures, guard.blocked_until, entry.home
      from (select 1) as always
      left join iam_login_guard guard on guard.digest = ${search.digest}
      left join lateral (
        select entry.home from iam_directory entry
        where entry.kind = 'email' and entry.digest = ${entry} and ${wanted}
        order by ${placeOrder(domainOf(key))}
        limit 1
      ) entry on true`,
  )
  if (row === undefined) return null
  assertNotBlocked(guardState({ failures: row.failures ?? [], blocked_until: row.blocked_until }), kernel.clock.now())
  return row.home
}

export function accountStatement(condition: SqlPart): SqlPart<Account> {
  return sql<Account>`
    select u.id, u.email, u.status, u.expires_at, u.password_hash, u.password_expires_at, u.mfa_deadline, t.status as tenant_status,
      (select coalesce(jsonb_agg(distinct f.kind), '[]') from iam_factor f
        where f.tenant_id = u.tenant_id and f.user_id = u.id and f.status = 'active') as methods,
      (select jsonb_agg(above.settings) from iam_tenant above where above.id = any(t.path)) as settings
    from iam_user u
    join iam_tenant t on t.id = u.tenant_id
    where ${condition}`
}

export async function findAccount(kernel: Kernel, home: TenantId, email: string): Promise<Account | null> {
  const [row] = await kernel.db.read(home, accountStatement(sql`u.email_key = ${emailKey(email)}`))
  return row ?? null
}

/** Whether the account has only a password that an administrator chose, and that its owner did not change in time. */
export function hasLapsedPassword({ password_expires_at: ends }: Account, now: number): boolean {
  return ends !== null && Date.parse(ends) <= now
}

export interface Way {
  readonly now: number
  /** Guessing that locked the account does not lock out whom it cannot have come from. */
  readonly evenLocked: boolean
}

export function mayEnter(account: Account, { now, evenLocked }: Way): boolean {
  const expired = account.expires_at !== null && Date.parse(account.expires_at) <= now
  const open = account.status === 'active' || (evenLocked && account.status === 'locked')
  return open && account.tenant_status !== 'deleted' && !expired
}
