/**
 * A second invitation for a person who never accepted the first: the same account, with the roles and the profile of
 * the new request and a new link. An account that was ever joined is never changed here. Tested in
 * reinvitation.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import { hold, write } from '../../../kernel/resource/resource.ts'
import { userInvited } from '../accounts/events.ts'
import { assertManager } from '../accounts/managers.ts'
import type { UserRow } from '../accounts/status.ts'
import { userResource } from '../accounts/user-resource.ts'
import { seeUser } from '../accounts/views.ts'
import { leave } from '../directory/directory.ts'
import { emailKey } from '../directory/email-address.ts'
import { invite } from '../invitations/invitations.ts'
import { assertRoomFor } from '../quotas/quotas.ts'
import { assertDominates } from '../rights/escalation.ts'
import { setRoles } from '../rights/granted-roles.ts'
import { findSubject } from '../rights/subjects.ts'
import type { CreatedUser, CreateUser } from '../schemas/users.ts'
import type { IamServices } from '../services/iam-services.ts'
import { users } from '../tables/users.ts'

/** The held account of this address, if its invitation was never accepted and has ended. */
export function lapsedInvitation(tx: Tx, email: string, now: string): Promise<UserRow | null> {
  return tx.first(sql<UserRow>`
    select ${users.columns} from iam_user
    where email_key = ${emailKey(email)} and type = 'human' and password_hash is null
      and active_since is null and last_login_at is null
      and (status = 'deactivated' or (status = 'invited' and invitation_expires_at <= ${now}))
    for update`)
}

export interface SecondInvitation {
  readonly actor: Actor
  readonly body: CreateUser
  readonly user: UserRow
}

/** The caller has checked that the actor may give the roles. @throws API-001, IAM-003, IAM-009 */
export async function inviteAgain(services: IamServices, tx: Tx, ask: SecondInvitation): Promise<CreatedUser> {
  const { actor, body, user } = ask
  const { clock, auth } = services.kernel
  const subject = await findSubject(tx, user.id, clock.now())
  if (subject === null) throw apiErrors.notFound({ what: users.noun })
  assertDominates(actor, subject)
  if (user.status === 'deactivated') await assertRoomFor(tx, 'users', clock.iso(), services.seatLimit(tx.tenantId))
  if (body.manager_id != null) await assertManager(tx, { userId: user.id, managerId: body.manager_id })
  const before = await seeUser(tx, user.id)
  await renew(services, tx, ask)
  await leave(tx, 'invitation', user.id)
  const invitation = await invite(services, tx, { userId: user.id, by: actor.userId })
  await auth.rightsChanged(tx, user.id)
  const after = await seeUser(tx, user.id)
  await tx.audit('iam.user.invite_again', { target: `user:${user.id}`, before: before.view, after: after.view })
  await tx.emit(userInvited, `user/${user.id}`, { user_id: user.id, actor_id: actor.userId })
  return { ...after.view, ...invitation }
}

async function renew({ kernel }: IamServices, tx: Tx, { actor, body, user }: SecondInvitation): Promise<void> {
  const held = await hold(tx, userResource, { id: user.id, precondition: anyVersion })
  await write(kernel, tx, held, {
    email: body.email ?? user.email,
    status: 'invited',
    status_reason: null,
    display_name: body.display_name ?? null,
    locale: body.locale ?? null,
    time_zone: body.time_zone ?? null,
    department: body.department ?? null,
    manager_id: body.manager_id ?? null,
    expires_at: body.expires_at ?? null,
    invited_by: actor.userId,
    invited_by_tenant: actor.homeTenantId,
  })
  await setRoles(tx, { userId: user.id, roleIds: body.role_ids, by: actor.userId, at: kernel.clock.iso() })
}
