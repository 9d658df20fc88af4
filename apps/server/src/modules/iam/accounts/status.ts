import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { revokeKeys } from '../api-keys/revocation.ts'
import { leave } from '../directory/directory.ts'
import { errors } from '../errors/errors.ts'
import { accountDigest, forgetRow } from '../guessing/guard.ts'
import { canMove, type Mover, type UserStatus } from '../schemas/user-states.ts'
import type { IamServices } from '../services/iam-services.ts'
import { endSessions } from '../sessions/sessions.ts'
import type { users } from '../tables/users.ts'
import { userActivated, userDeactivated, userLocked, userSuspended } from './events.ts'
import { leaveReviews } from './review-duties.ts'

export type UserRow = NonNullable<Awaited<ReturnType<typeof users.get>>>

/** Whether the account was never used to sign in: its invitation was never accepted. */
export function isUnclaimed(user: Pick<UserRow, 'type' | 'password_hash' | 'active_since' | 'last_login_at'>): boolean {
  const wasHere = user.password_hash !== null || user.active_since !== null || user.last_login_at !== null
  return user.type === 'human' && !wasHere
}

export interface UserMove {
  /** As read for update. */
  readonly user: UserRow
  readonly to: UserStatus
  readonly mover: Mover
  readonly by: string | null
  readonly reason: string | null
}

const tellings = {
  active: userActivated,
  suspended: userSuspended,
  locked: userLocked,
  deactivated: userDeactivated,
} as const

/**
 * Moves an account to another state. Leaving `active` ends its sessions and keys in the same transaction. The caller
 * has checked who may do it and writes the audit entry.
 * @throws IAM-004 for a move the table does not have
 */
export async function moveUser(services: IamServices, tx: Tx, move: UserMove): Promise<void> {
  const { user, to } = move
  if (!canMove(user.status, to, move.mover) || to === 'invited' || to === 'erased') {
    throw errors.illegalMove({ what: 'user', from: user.status, to })
  }
  const now = services.kernel.clock.iso()
  await tx.execute(sql`
    update iam_user
    set status = ${to}, status_reason = ${move.reason}, version = version + 1, invitation_expires_at = null,
      was_suspended = ${to === 'deactivated' && move.mover === 'directory' && user.status === 'suspended'},
      active_since = case when ${to} = 'active' then ${now} else active_since end, updated_at = ${now}
    where id = ${user.id}`)
  if (user.status === 'invited') await leave(tx, 'invitation', user.id)
  if (user.status === 'active') await endCredentials(services, tx, move)
  if (to === 'deactivated') await leaveOthers(tx, user.id)
  if (to === 'active') await forgetFailures(services, tx, user)
  await services.kernel.auth.rightsChanged(tx, user.id)
  await tx.emit(tellings[to], `user/${user.id}`, { user_id: user.id, actor_id: move.by, reason: move.reason })
}

/** A person who returns later is linked to an identity provider again, under the rules in force at that time. */
async function leaveOthers(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`delete from iam_sso_identity where user_id = ${userId}`)
  await tx.execute(sql`update iam_user set managed_by = 'local' where id = ${userId} and managed_by = 'sso'`)
  await leaveReviews(tx, userId)
}

/** A person who is let in again starts with a failure count of zero. */
async function forgetFailures({ kernel }: IamServices, tx: Tx, { email }: UserRow): Promise<void> {
  if (email !== null) await forgetRow(tx, accountDigest(kernel, tx.tenantId, email))
}

async function endCredentials(services: IamServices, tx: Tx, { user, to, by }: UserMove): Promise<void> {
  const reason = `account_${to}`
  await endSessions(services, tx, { condition: sql`user_id = ${user.id}`, by, reason })
  await services.kernel.auth.revoke(tx, 'user', user.id)
  await revokeKeys(services, tx, { condition: sql`owner_id = ${user.id}`, by, reason })
}
