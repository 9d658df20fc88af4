/**
 * Self-service on one's own account: view it, change its password, sign out. The account is in the person's home
 * tenant, also while an operator acts in another one. Tested in account.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { listPermissions } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { tellCredential } from '../accounts/credential-changes.ts'
import { revokeKeys, revokeKeysOfSessions } from '../api-keys/revocation.ts'
import {
  assertAddressAllowed,
  assertNotBlocked,
  countAddressFailure,
  countFailure,
  guardDigest,
  lockedGuard,
} from '../guessing/guard.ts'
import { mailNotice } from '../mail/jobs.ts'
import { factorsOf, type MfaSubject, mfaOfUsers } from '../mfa/views.ts'
import { assertPassword } from '../passwords/policy.ts'
import { readPasswordRules } from '../passwords/rules.ts'
import { hasFactor, writePassword } from '../passwords/write.ts'
import { waitingReviews } from '../reviews/waiting.ts'
import { rolesOfUsers } from '../rights/granted-roles.ts'
import type { ChangePassword, Me } from '../schemas/auth.ts'
import { homeScope, type IamServices } from '../services/iam-services.ts'
import { endSessions } from '../sessions/sessions.ts'
import { settingsOf } from '../settings/tenant-settings.ts'
import { connectionOfSession, endSessionUrl } from '../sso/providers/end-session.ts'
import { users } from '../tables/users.ts'

interface Caller {
  readonly actor: Actor
  readonly request: RequestInfo
}

export async function me({ kernel }: IamServices, actor: Actor): Promise<Me> {
  const [[tenant], tenants, own] = await Promise.all([
    kernel.db.read(
      actor.tenantId,
      sql<Me['tenant']>`select id, name, slug, status from iam_tenant where id = ${actor.tenantId}`,
    ),
    otherTenants(kernel, actor),
    kernel.db.tenant({ tenantId: actor.homeTenantId, readOnly: true }, (tx) => ownFacts(tx, actor.userId)),
  ])
  if (own === null || tenant === undefined) throw authErrors.invalid()
  const { role, roles, operator, sessionId, keyId, authTime, amr } = actor
  return {
    user: own.user,
    tenant,
    home_tenant_id: actor.homeTenantId,
    tenants: [...tenants],
    operator,
    role,
    roles: [...roles],
    permissions: listPermissions(actor.permissions),
    session_id: sessionId,
    api_key_id: keyId,
    auth_time: authTime,
    amr: [...amr],
    mfa: own.mfa,
    factors: [...own.factors],
    recovery_codes_left: own.codes?.remaining ?? 0,
    time_zone: own.user.time_zone ?? own.settings.time_zone,
    access_reviews: [...own.reviews],
  }
}

const mostTenants = 100

/** Other tenants the caller may act in: all for operators, none for others. */
async function otherTenants({ db }: IamServices['kernel'], actor: Actor): Promise<Me['tenants']> {
  if (!actor.operator) return []
  return [
    ...(await db.read(
      actor.tenantId,
      sql<Me['tenant']>`
        select id, name, slug, status from iam_tenant
        where id <> ${actor.tenantId} and status in ('active', 'suspended', 'pending_deletion')
        order by lower(name), id
        limit ${mostTenants}`,
    )),
  ]
}

async function ownFacts(tx: Tx, userId: string) {
  const [row, rolesOf, mfaOf, factors, codes, settings, reviews] = await Promise.all([
    tx.first(sql<Me['user'] & Pick<MfaSubject, 'mfa_deadline'>>`
      select id, type, email, display_name, locale, time_zone, must_change_password, mfa_deadline
      from iam_user where id = ${userId}`),
    rolesOfUsers(tx, [userId]),
    mfaOfUsers(tx, [userId]),
    factorsOf(tx, userId),
    tx.first(sql<{ remaining: number }>`
      select count(*)::int as remaining from iam_recovery_code where user_id = ${userId} and used_at is null`),
    settingsOf(tx, tx.tenantId),
    waitingReviews(tx, userId),
  ])
  if (row === null) return null
  const { mfa_deadline, ...user } = row
  return { user, mfa: mfaOf({ ...user, mfa_deadline, roles: rolesOf(userId) }), factors, codes, settings, reviews }
}

/** Ends this session, or all of the caller's. @throws AUTH-009 for API keys, which have none */
export async function logout(
  services: IamServices,
  caller: Caller & { readonly everywhere: boolean },
): Promise<{ sessions_ended: number; api_keys_ended: number; end_session_url: string | null }> {
  const { actor, request, everywhere } = caller
  const sessionId = requireSession(actor)
  const connection = await connectionOfSession(services, { tenantId: actor.homeTenantId, id: sessionId })
  const ended = await services.kernel.db.tenant(homeScope(request, actor), async (tx) => {
    const condition = everywhere ? sql`user_id = ${actor.userId}` : sql`id = ${sessionId}`
    const ending = { condition, by: actor.userId, reason: 'signed_out' }
    const api_keys_ended = everywhere ? await revokeKeysOfSessions(services, tx, ending) : 0
    const sessions_ended = await endSessions(services, tx, ending)
    if (everywhere) await services.kernel.auth.revoke(tx, 'user', actor.userId)
    await tx.audit('auth.logout', {
      target: `session:${sessionId}`,
      after: { everywhere, sessions_ended, api_keys_ended },
    })
    return { sessions_ended, api_keys_ended }
  })
  return { ...ended, end_session_url: connection === null ? null : await endSessionUrl(services, connection) }
}

function requireSession(actor: Actor): string {
  if (actor.sessionId === null) throw authErrors.stepUp()
  return actor.sessionId
}

/** @throws AUTH-007 for a wrong current password, AUTH-008, AUTH-009 for API keys, IAM-002 */
export async function changePassword(services: IamServices, caller: Caller & { readonly body: ChangePassword }) {
  const { actor, request, body } = caller
  const sessionId = requireSession(actor)
  const account = await readAccount(services, actor)
  await proveCurrent(services, { ...caller, account })
  const { needsFactor } = await assertPassword({
    password: body.new_password,
    breached: await services.breached.has(body.new_password),
    rules: await readPasswordRules(services.kernel, actor.homeTenantId, account.has_factor),
    context: [account.tenant_name, account.slug, account.email],
    current: body.current_password,
  })
  const hash = await services.passwords.hash(body.new_password)
  return services.kernel.db.tenant(homeScope(request, actor), async (tx) => {
    const at = services.kernel.clock.iso()
    const user = await users.needForUpdate(tx, actor.userId)
    if (user.password_hash !== account.password_hash) throw authErrors.badLogin()
    await writePassword(tx, { userId: user.id, hash, needsFactor, at })
    await services.kernel.auth.rightsChanged(tx, actor.userId)
    const sessions_ended =
      body.revoke_other_sessions === false ? 0 : await endOthers(services, tx, { actor, sessionId })
    const api_keys_ended = await endRecentKeys(services, tx, { actor, since: body.revoke_api_keys_since })
    await tellCredential(tx, { userId: user.id, credential: 'password', change: 'updated', by: user.id })
    await mailNotice(services, tx, { notice: 'password_changed', userId: user.id, to: user.email })
    await tx.audit('auth.password_change', {
      target: `user:${actor.userId}`,
      after: { sessions_ended, api_keys_ended },
    })
    return { password_changed_at: at, sessions_ended, api_keys_ended }
  })
}

interface Account {
  readonly email: string
  readonly password_hash: string | null
  readonly has_factor: boolean
  readonly tenant_name: string
  readonly slug: string
}

async function readAccount({ kernel }: IamServices, actor: Actor): Promise<Account> {
  const [row] = await kernel.db.read(
    actor.homeTenantId,
    sql<Account>`
      select u.email, u.password_hash, t.name as tenant_name, t.slug, ${hasFactor(actor.userId)} as has_factor
      from iam_user u
      join iam_tenant t on t.id = u.tenant_id
      where u.id = ${actor.userId}`,
  )
  if (row === undefined) throw authErrors.invalid()
  return row
}

/** A stolen session must not guess the password faster than any other caller. */
async function proveCurrent(
  services: IamServices,
  { actor, request, body, account }: Caller & { readonly body: ChangePassword; readonly account: Account },
): Promise<void> {
  const { kernel } = services
  const digest = guardDigest(kernel, account.email)
  await assertAddressAllowed(kernel, request.ip)
  await kernel.db.tenant(homeScope(request, actor), async (tx) =>
    assertNotBlocked(await lockedGuard(tx, digest), kernel.clock.now()),
  )
  if (await services.passwords.verify(account.password_hash, body.current_password)) return
  await countAddressFailure(kernel, request.ip)
  const before = await kernel.db.tenant(homeScope(request, actor), (tx) => countFailure(tx, digest, kernel.clock.now()))
  services.failures.failed(actor.homeTenantId, actor.userId)
  assertNotBlocked(before, kernel.clock.now())
  throw authErrors.badLogin()
}

function endOthers(
  services: IamServices,
  tx: Tx,
  { actor, sessionId }: { readonly actor: Actor; readonly sessionId: string },
): Promise<number> {
  const condition = sql`user_id = ${actor.userId} and id <> ${sessionId}`
  return endSessions(services, tx, { condition, by: actor.userId, reason: 'password_changed' })
}

/** Ends the keys the caller made from a moment on: an intruder in the session could have made them since. */
async function endRecentKeys(
  services: IamServices,
  tx: Tx,
  { actor, since }: { readonly actor: Actor; readonly since: string | undefined },
): Promise<number> {
  if (since === undefined) return 0
  const condition = sql`created_by = ${actor.userId} and created_at >= ${since}::timestamptz`
  return revokeKeys(services, tx, { condition, by: actor.userId, reason: 'password_changed' })
}
