/**
 * Accounts: created, listed, changed, deactivated. A caller never grants or touches more than they have, and an
 * administrator always remains. Signing in is in sign-in/. Tested in users.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { assertFreshSession } from '../../../kernel/auth/fresh.ts'
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { noteCredentialSetter } from '../accounts/credential-setter.ts'
import { userActivated, userInvited } from '../accounts/events.ts'
import { assertManager } from '../accounts/managers.ts'
import { addAccount, type NewAccount } from '../accounts/new-account.ts'
import { seeUser, userViews } from '../accounts/views.ts'
import { type Invitation, invite } from '../invitations/invitations.ts'
import { assertPassword } from '../passwords/policy.ts'
import { passwordRules } from '../passwords/rules.ts'
import { assertRoomFor } from '../quotas/quotas.ts'
import { allAccounts } from '../quotas/user-counts.ts'
import { assertCanGrantRoles } from '../rights/escalation.ts'
import { namedRoles } from '../rights/granted-roles.ts'
import { assertInFuture } from '../schemas/in-future.ts'
import type { CreatedUser, CreateUser, User, UserFilter } from '../schemas/users.ts'
import type { IamServices } from '../services/iam-services.ts'
import { settingsOf } from '../settings/tenant-settings.ts'
import { users } from '../tables/users.ts'
import { inviteAgain, lapsedInvitation } from './reinvitation.ts'
import { tenantWords } from './tenant-words.ts'

export async function listUsers(
  tx: Tx,
  ask: { readonly filter: UserFilter; readonly page: PageRequest },
): Promise<Page<User>> {
  const { filter } = ask
  const where: SqlPart[] = [sql`true`]
  if (filter.status !== undefined) where.push(sql`status = ${filter.status}`)
  if (filter.type !== undefined) where.push(sql`type = ${filter.type}`)
  if (filter.managed_by !== undefined) where.push(sql`managed_by = ${filter.managed_by}`)
  if (filter.last_active_before !== undefined) {
    where.push(sql`(last_active_at is null or last_active_at < ${filter.last_active_before})`)
  }
  if (filter.mfa_enrolled !== undefined) {
    const enrolled = sql`id in (select user_id from iam_factor where status = 'active')`
    where.push(filter.mfa_enrolled ? enrolled : sql`not ${enrolled}`)
  }
  if (filter.role_id !== undefined) {
    where.push(sql`id in (select user_id from iam_user_role where role_id = ${filter.role_id})`)
  }
  if (filter.q !== undefined) {
    const prefix = likePrefix(filter.q)
    where.push(sql`(email_key like ${prefix} or lower(display_name) like ${prefix})`)
  }
  const page = await users.page(tx, ask.page, join(where, ' and '), where.length === 1 ? allAccounts : undefined)
  return { ...page, items: await userViews(tx, page.items) }
}

export interface UserWish {
  readonly actor: Actor
  readonly body: CreateUser
}

/** @throws API-001, AUTH-009, IAM-001, IAM-002, IAM-003, IAM-009 */
export async function createUser(services: IamServices, tx: Tx, { actor, body }: UserWish): Promise<CreatedUser> {
  assertFreshSession(actor, services.kernel.clock)
  const form = accountForm(body)
  // Hashed, and asked about, before the first statement: a connection and its locks should wait for nothing of the kind.
  const [passwordHash, breached] =
    body.password === undefined
      ? [null, false]
      : await Promise.all([services.passwords.hash(body.password), services.breached.has(body.password)])
  const roles = await namedRoles(tx, body.role_ids)
  assertCanGrantRoles(actor, roles)
  await assertFirstPassword(tx, body, breached)
  const now = services.kernel.clock.iso()
  assertInFuture(body.expires_at, now)
  const lapsed = form.status === 'invited' && form.email !== null ? await lapsedInvitation(tx, form.email, now) : null
  if (lapsed !== null) return inviteAgain(services, tx, { actor, body, user: lapsed })
  await assertRoomFor(tx, form.type === 'human' ? 'users' : 'service_accounts', now, services.seatLimit(tx.tenantId))
  if (body.manager_id != null) await assertManager(tx, { userId: null, managerId: body.manager_id })
  const by = { userId: actor.userId, tenantId: actor.homeTenantId }
  const account = { ...form, roleIds: body.role_ids, passwordHash, profile: body, by }
  const id = await addAccount(services, tx, account)
  const invitation = form.status === 'invited' ? await invite(services, tx, { userId: id, by: actor.userId }) : null
  if (passwordHash !== null) await noteCredentialSetter(tx, { userIds: [id], by: actor.userId, at: now })
  return announceCreated(tx, { id, invitation, actor })
}

async function announceCreated(
  tx: Tx,
  made: { readonly id: string; readonly invitation: Invitation | null; readonly actor: Actor },
): Promise<CreatedUser> {
  const { view } = await seeUser(tx, made.id)
  const subject = `user/${made.id}`
  const data = { user_id: made.id, actor_id: made.actor.userId }
  await tx.audit('iam.user.create', { target: `user:${made.id}`, after: view })
  if (made.invitation === null) await tx.emit(userActivated, subject, { ...data, reason: 'created' })
  else await tx.emit(userInvited, subject, data)
  return { ...view, ...made.invitation }
}

type Form = Pick<NewAccount, 'type' | 'email' | 'status' | 'mustChangePassword'>

/** Which fields go together. @throws API-001 */
function accountForm(body: CreateUser): Form {
  const { type = 'human', email, delivery = type === 'human' ? 'invite' : 'none', password } = body
  const wrong = (pointer: string, detail: string) => apiErrors.validation({ what: detail }).at([{ detail, pointer }])
  if ((password !== undefined) !== (delivery === 'password')) {
    throw wrong('/password', 'Give a password if, and only if, delivery is password.')
  }
  if (type === 'service') {
    if (email !== undefined) throw wrong('/email', 'A service account has no e-mail address.')
    if (delivery !== 'none') throw wrong('/delivery', 'A service account signs in with API keys only.')
    return { type, email: null, status: 'active', mustChangePassword: false }
  }
  if (email === undefined) throw wrong('/email', 'A person needs an e-mail address.')
  if (delivery === 'none') throw wrong('/delivery', 'A person is invited or gets a first password.')
  return {
    type,
    email,
    status: delivery === 'invite' ? 'invited' : 'active',
    mustChangePassword: delivery === 'password',
  }
}

/** @throws IAM-002 */
async function assertFirstPassword(tx: Tx, { password, email }: CreateUser, breached: boolean): Promise<void> {
  if (password === undefined) return
  const rules = passwordRules(await settingsOf(tx, tx.tenantId), false)
  const context = [...(await tenantWords(tx)), email ?? '']
  await assertPassword({ password, breached, rules, context })
}
