/**
 * Sign-in with e-mail and password. Every refusal costs the same reads, one hash and one transaction, and says the same,
 * whatever its reason; status is looked at after the hash. Tested in login.test.ts.
 */
import type { TenantId } from '../../../kernel/auth/actor.ts'
import { platformTenant } from '../../../kernel/auth/platform-tenant.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { authErrors } from '../../../kernel/http/errors.ts'
import type { RequestInfo } from '../../../kernel/route.ts'
import { directoryDigest } from '../directory.ts'
import { emailKey } from '../email-address.ts'
import type { Login, TokenSet } from '../schemas/auth.ts'
import type { SettingValues } from '../schemas/tenants.ts'
import { type IamServices, originOf } from '../services.ts'
import { effectiveSettings } from '../settings.ts'
import { findSubject, type Subject } from '../subjects.ts'
import {
  accountDigest,
  assertAddressAllowed,
  assertNotBlocked,
  countAddressFailure,
  countFailure,
  countInRow,
  forgetRow,
  guardDigest,
  guardState,
  lockedGuard,
} from './guard.ts'
import { lockAfter } from './guessing.ts'
import { lockAccount } from './lock-account.ts'
import { type OpenSession, openSession, tokensOf } from './open-session.ts'
import { sessionLife } from './session-life.ts'

export interface LoginAttempt {
  readonly body: Login
  readonly request: RequestInfo
}

/** @throws AUTH-007 for every reason to refuse, AUTH-008 while guessing is slowed down */
export async function login(services: IamServices, attempt: LoginAttempt): Promise<TokenSet> {
  const { kernel, passwords } = services
  const { body, request } = attempt
  await assertAddressAllowed(kernel, request.ip)
  const digest = guardDigest(kernel, body.email)
  const home = await findHome(services, { digest, email: body.email, tenantHeader: request.header('x-tenant-id') })
  const account = await findAccount(services, home ?? platformTenant, body.email)
  const proven = await passwords.verify(account?.password_hash ?? null, body.password)
  const known = account !== null && home !== null ? { ...account, home } : null
  const entered = { attempt, digest, account: known, password: body.password }
  const opened =
    proven && known !== null && mayEnter(known, kernel.clock.now())
      ? await enter(services, { ...entered, account: known })
      : null
  if (opened === null) return refuse(services, entered)
  return tokensOf(services, opened.session, opened.subject)
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

interface Search {
  readonly digest: string
  readonly email: string
  readonly tenantHeader: string | undefined
}

/** The tenant the caller names, else the one this address signed in to last. @throws AUTH-008 */
async function findHome({ kernel }: IamServices, search: Search): Promise<TenantId | null> {
  const entry = directoryDigest(kernel.platformKeys, 'email', emailKey(search.email))
  const named = search.tenantHeader
  const wanted = named === undefined ? sql`true` : sql`home = ${uuidPattern.test(named) ? named : platformTenant}`
  const [row] = await kernel.db.read(
    platformTenant,
    sql<{ failures: readonly number[] | null; blocked_until: string | null; home: TenantId | null }>`
      select guard.failures, guard.blocked_until, entry.home
      from (select 1) as always
      left join iam_login_guard guard on guard.digest = ${search.digest}
      left join lateral (
        select home from iam_directory
        where kind = 'email' and digest = ${entry} and ${wanted}
        order by last_used_at desc nulls last, home
        limit 1
      ) entry on true`,
  )
  if (row === undefined) return null
  assertNotBlocked(guardState({ failures: row.failures ?? [], blocked_until: row.blocked_until }), kernel.clock.now())
  return row.home
}

interface Account {
  readonly id: string
  readonly email: string
  readonly status: string
  readonly expires_at: string | null
  readonly password_hash: string | null
  readonly tenant_status: string
  readonly settings: readonly SettingValues[]
}

interface HomedAccount extends Account {
  readonly home: TenantId
}

function accountStatement(condition: SqlPart): SqlPart<Account> {
  return sql<Account>`
    select u.id, u.email, u.status, u.expires_at, u.password_hash, t.status as tenant_status,
      (select jsonb_agg(above.settings) from iam_tenant above where above.id = any(t.path)) as settings
    from iam_user u
    join iam_tenant t on t.id = u.tenant_id
    where ${condition}`
}

async function findAccount({ kernel }: IamServices, home: TenantId, email: string): Promise<Account | null> {
  const [row] = await kernel.db.read(home, accountStatement(sql`u.email_key = ${emailKey(email)}`))
  return row ?? null
}

function mayEnter(account: Account, now: number): boolean {
  const expired = account.expires_at !== null && Date.parse(account.expires_at) <= now
  return account.status === 'active' && account.tenant_status !== 'deleted' && !expired
}

interface Entered {
  readonly attempt: LoginAttempt
  readonly digest: string
  readonly account: HomedAccount | null
  readonly password: string
}

/** Opens the session, unless the account or its guard changed while the hash was computed. */
async function enter(
  services: IamServices,
  entered: Entered & { readonly account: HomedAccount },
): Promise<{ session: OpenSession; subject: Subject } | null> {
  const { kernel, passwords } = services
  const { account, attempt } = entered
  const rehashed =
    account.password_hash !== null && passwords.outdated(account.password_hash)
      ? await passwords.hash(entered.password)
      : account.password_hash
  const scope = { tenantId: account.home, origin: originOf(attempt.request, null) }
  return kernel.db.tenant(scope, async (tx) => {
    // Asked for together, so that they travel in one flush; the locks are taken in this order.
    const [guard, current, subject] = await Promise.all([
      lockedGuard(tx, entered.digest),
      tx.first(sql<Account>`${accountStatement(sql`u.id = ${account.id}`)} for update of u`),
      findSubject(tx, account.id, kernel.clock.now()),
    ])
    assertNotBlocked(guard, kernel.clock.now())
    const unchanged =
      current !== null && current.password_hash === account.password_hash && mayEnter(current, kernel.clock.now())
    if (!unchanged || subject === null) return null
    const life = sessionLife(effectiveSettings(current.settings), subject)
    const [session] = await Promise.all([
      openSession(services, tx, { userId: account.id, email: account.email, life }),
      rememberLogin(services, tx, { account: current, passwordHash: rehashed }),
    ])
    return { session, subject }
  })
}

async function rememberLogin(
  { kernel }: IamServices,
  tx: Tx,
  who: { readonly account: Account; readonly passwordHash: string | null },
): Promise<void> {
  const now = kernel.clock.iso()
  const { account } = who
  const entry = directoryDigest(kernel.platformKeys, 'email', emailKey(account.email))
  await Promise.all([
    tx.execute(sql`
      update iam_user
      set last_login_at = ${now}, last_active_at = ${now}, password_hash = ${who.passwordHash}
      where id = ${account.id}`),
    tx.execute(sql`
      update iam_directory set last_used_at = ${now}
      where kind = 'email' and digest = ${entry} and home = ${tx.tenantId}`),
    forgetRow(tx, accountDigest(kernel, tx.tenantId, account.email)),
  ])
}

/** Counts the failure with the same statements, on the same rows, for accounts that exist and for those that do not. */
async function refuse(services: IamServices, { attempt, digest, account }: Entered): Promise<never> {
  const { kernel } = services
  const scope = { tenantId: account?.home ?? platformTenant, origin: originOf(attempt.request, null) }
  await countAddressFailure(kernel, attempt.request.ip)
  const counted = await kernel.db.tenant(scope, async (tx) => ({
    before: await countFailure(tx, digest, kernel.clock.now()),
    inRow: await countInRow(tx, accountDigest(kernel, scope.tenantId, attempt.body.email), kernel.clock.now()),
  }))
  if (account !== null) {
    services.failures.failed(account.home, account.id)
    // Apart from the counting: this one locks the account's row, which sign-in holds while it waits for the counts.
    if (counted.inRow >= lockAfter) await kernel.db.tenant(scope, (tx) => lockAccount(services, tx, account.id))
  }
  assertNotBlocked(counted.before, kernel.clock.now())
  throw authErrors.badLogin()
}
