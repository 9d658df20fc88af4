import type { Actor } from '../../../kernel/access/actor.ts'
import { assertFreshSession } from '../../../kernel/auth/fresh.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import type { DueAt } from '../../../kernel/module/module.ts'
import type { Versioned } from '../../../kernel/module/route.ts'
import { type Held, hold, write } from '../../../kernel/resource/resource.ts'
import { assertNotManaged } from '../accounts/managed-fields.ts'
import { assertManager } from '../accounts/managers.ts'
import { isUnclaimed, moveUser, type UserRow } from '../accounts/status.ts'
import { userResource } from '../accounts/user-resource.ts'
import { seeUser, seeUserInDetail } from '../accounts/views.ts'
import type { UserRemoval } from '../erasure/erase.ts'
import { handOverDuties, heirOf } from '../erasure/heir.ts'
import { errors } from '../errors/errors.ts'
import { assertRoomFor } from '../quotas/quotas.ts'
import { keepingAdministrators } from '../rights/administrators.ts'
import { assertCanGrantRoles, assertMayTouch } from '../rights/escalation.ts'
import { userRoleChanged } from '../rights/events.ts'
import { namedRoles, setRoles } from '../rights/granted-roles.ts'
import { findSubject, type Subject } from '../rights/subjects.ts'
import { assertInFuture } from '../schemas/in-future.ts'
import type { PatchUser, UserDetail } from '../schemas/users.ts'
import type { IamServices } from '../services/iam-services.ts'
import { users } from '../tables/users.ts'
import { correctEmail } from './email.ts'

interface Change {
  readonly actor: Actor
  readonly held: Held<UserRow>
  readonly subject: Subject
  readonly body: PatchUser
}

export interface Deactivation extends UserRemoval {
  /** The person who takes over pending decisions and responsibilities. */
  readonly transferTo: string | undefined
}

export interface UserChange extends UserRemoval {
  readonly body: PatchUser
}

const neverJoined = { what: 'user', from: 'deactivated without ever having joined', to: 'active' }

/** @throws API-001, API-012, API-013, AUTH-009, IAM-003, IAM-004, IAM-005, IAM-009, IAM-010 */
export async function changeUser(services: IamServices, tx: Tx, ask: UserChange): Promise<Versioned<UserDetail>> {
  const now = services.kernel.clock.now()
  const { held, subject } = await touchable(tx, ask, now)
  const user = held.row
  if (user.status === 'erased') throw errors.illegalMove({ what: 'user', from: 'erased', to: 'changed' })
  const before = await seeUser(tx, ask.id)
  const change = { actor: ask.actor, held, subject, body: ask.body }
  const apply = () => applyChange(services, tx, change)
  const { role_ids, status, expires_at } = ask.body
  // Roles, an account that opens again and one that ends later are more than there was.
  if (role_ids !== undefined || status === 'active' || expires_at !== undefined)
    assertFreshSession(ask.actor, services.kernel.clock)
  const touchesRights = role_ids !== undefined || status !== undefined || expires_at !== undefined
  await (touchesRights ? keepingAdministrators(tx, now, apply) : apply())
  const after = await seeUser(tx, ask.id)
  await tx.audit('iam.user.change', {
    target: `user:${ask.id}`,
    before: before.view,
    after: after.view,
    ...(ask.body.status_reason === undefined ? {} : { reason: ask.body.status_reason }),
  })
  return seeUserInDetail(tx, ask.id, services.kernel.clock.iso())
}

/** The account, held, if the actor may act on it as it is now. @throws API-012, API-013, IAM-003 */
async function touchable(tx: Tx, ask: UserRemoval, now: number): Promise<{ held: Held<UserRow>; subject: Subject }> {
  const held = await hold(tx, userResource, { id: ask.id, precondition: anyVersion })
  const subject = await findSubject(tx, ask.id, now)
  if (subject === null) throw apiErrors.notFound({ what: users.noun })
  assertMayTouch(ask.actor, subject)
  ask.precondition.expectVersion(held.row.version)
  return { held, subject }
}

async function applyChange(services: IamServices, tx: Tx, change: Change): Promise<void> {
  await applyProfile(services, tx, change)
  const { actor, held, body } = change
  if (body.email !== undefined) await correctEmail(services, tx, { actor, user: held.row, email: body.email })
  await applyRoles(services, tx, change)
  await applyStatus(services, tx, change)
}

async function applyProfile(services: IamServices, tx: Tx, { held, body }: Change): Promise<void> {
  const user = held.row
  const now = services.kernel.clock.iso()
  assertNotManaged(user, body)
  if (body.manager_id != null) await assertManager(tx, { userId: user.id, managerId: body.manager_id })
  if (body.expires_at !== undefined) {
    assertInFuture(body.expires_at, now)
    await services.kernel.auth.rightsChanged(tx, user.id)
  }
  const { display_name, locale, time_zone, department, manager_id, expires_at } = body
  const changes = { display_name, locale, time_zone, department, manager_id, expires_at }
  await write(services.kernel, tx, held, changes)
}

/** Roles given by a group are removed only by the group. @throws IAM-010 */
async function assertKeepsGroupRoles(tx: Tx, userId: string, roleIds: readonly string[]): Promise<void> {
  const missing = await tx.first(sql`
    select 1 as found from iam_user_role
    where user_id = ${userId} and source = 'scim' and role_id <> all(${roleIds}::uuid[])`)
  if (missing !== null) throw errors.managedByDirectory({ field: 'a role that comes with a group' })
}

async function applyRoles(services: IamServices, tx: Tx, { actor, held, subject, body }: Change): Promise<void> {
  const user = held.row
  if (body.role_ids === undefined) return
  const before = subject.roles.map((role) => role.id)
  await assertKeepsGroupRoles(tx, user.id, body.role_ids)
  const roles = await namedRoles(tx, body.role_ids)
  assertCanGrantRoles(
    actor,
    roles.filter((role) => !before.includes(role.id)),
  )
  const after = body.role_ids
  await setRoles(tx, { userId: user.id, roleIds: after, by: actor.userId, at: services.kernel.clock.iso() })
  await services.kernel.auth.rightsChanged(tx, user.id)
  await tx.emit(userRoleChanged, `user/${user.id}`, { user_id: user.id, actor_id: actor.userId, before, after })
}

async function applyStatus(services: IamServices, tx: Tx, { actor, held, body }: Change): Promise<void> {
  const user = held.row
  if (body.status === undefined) {
    if (body.status_reason === undefined) return
    const detail = 'A reason goes with a change of status.'
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/status_reason' }])
  }
  if (body.status === user.status) return
  if (user.status === 'deactivated') {
    // A person who never accepted an invitation has no way to sign in; they are invited again instead.
    if (body.status === 'active' && isUnclaimed(user)) throw errors.illegalMove(neverJoined)
    const { clock } = services.kernel
    const quota = user.type === 'human' ? 'users' : 'service_accounts'
    await assertRoomFor(tx, quota, clock.iso(), services.seatLimit(tx.tenantId))
  }
  const reason = body.status_reason ?? null
  await moveUser(services, tx, { user, to: body.status, mover: 'administrator', by: actor.userId, reason })
}

/** Ends an account; its row and history stay. @throws API-001, API-012, API-013, IAM-003, IAM-004, IAM-005 */
export async function deactivateUser(services: IamServices, tx: Tx, ask: Deactivation) {
  const { actor, id, transferTo } = ask
  const { clock } = services.kernel
  const now = clock.now()
  const { row: user } = (await touchable(tx, ask, now)).held
  const heir = transferTo === undefined ? null : await heirOf(tx, { actor, id, heirId: transferTo }, now)
  if (heir !== null) await handOverDuties(tx, { userId: id, heir, at: clock.iso() })
  await keepingAdministrators(tx, now, () =>
    moveUser(services, tx, { user, to: 'deactivated', mover: 'administrator', by: actor.userId, reason: null }),
  )
  await tx.audit('iam.user.deactivate', {
    target: `user:${id}`,
    before: { status: user.status },
    after: { status: 'deactivated', ...(heir === null ? {} : { transfer_to: heir }) },
  })
  return { id, deleted: true, mode: 'deactivate' as const }
}

const batch = 200

/** Ends accounts whose end date or invitation has run out. Runs as a job of each tenant. */
export async function endExpiredAccounts(services: IamServices, tx: Tx): Promise<number> {
  const now = services.kernel.clock.iso()
  const due = await tx.query(sql<{ id: string }>`
    select id from iam_user
    where (status in ('active', 'suspended', 'locked', 'invited') and expires_at <= ${now})
      or (status = 'invited' and invitation_expires_at <= ${now})
    order by id
    limit ${batch}`)
  for (const { id } of due) {
    const user = await users.needForUpdate(tx, id)
    const reason = user.status === 'invited' ? 'invitation_expired' : 'expired'
    await moveUser(services, tx, { user, to: 'deactivated', mover: 'clock', by: null, reason })
    await tx.audit('iam.user.expire', {
      target: `user:${id}`,
      before: { status: user.status },
      after: { status: 'deactivated' },
    })
  }
  return due.length
}

export const someAccountsOver = ({ now }: DueAt): SqlPart => sql`
  exists (
    select from iam_user person
    where person.tenant_id = tenant.id and (
      (person.status in ('active', 'suspended', 'locked', 'invited') and person.expires_at <= ${now})
      or (person.status = 'invited' and person.invitation_expires_at <= ${now})))`
