/**
 * Replaces a person's sign-in address: by its owner once the mailbox is verified, or by an
 * administrator who could reset them anyway. Tested in ../auth/profile.test.ts and email.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { holds } from '../../../kernel/access/permissions.ts'
import { assertFresh } from '../../../kernel/auth/fresh.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { noteCredentialSetter } from '../accounts/credential-setter.ts'
import type { UserRow } from '../accounts/status.ts'
import { enter, leave } from '../directory/directory.ts'
import { emailKey } from '../directory/email-address.ts'
import { errors } from '../errors/errors.ts'
import { invite } from '../invitations/invitations.ts'
import { mailNotice } from '../mail/jobs.ts'
import { closeLinks } from '../mail/links.ts'
import type { IamServices } from '../services/iam-services.ts'

export interface AddressMove {
  /** As read for update. */
  readonly user: UserRow
  readonly email: string
}

/** The caller has checked who may, and writes the audit entry. @throws IAM-001 */
export async function moveAddress({ kernel }: IamServices, tx: Tx, { user, email }: AddressMove): Promise<void> {
  const key = emailKey(email)
  await tx.lock('iam.email', key)
  const taken = await tx.first(sql`select 1 as found from iam_user where email_key = ${key} and id <> ${user.id}`)
  if (taken !== null) throw errors.emailInUse()
  await tx.execute(sql`
    update iam_user set email = ${email}, email_key = ${key}, version = version + 1, updated_at = ${kernel.clock.iso()}
    where id = ${user.id}`)
  await leave(tx, 'email', user.id)
  await enter(tx, kernel.platformKeys, { kind: 'email', value: key, subject: user.id })
  // A link that was sent to the old address must not set the password of the new one.
  await closeLinks(tx, user.id)
}

export interface Correction extends AddressMove {
  readonly actor: Actor
}

/**
 * The new mailbox is not verified, so this takes fresh authentication, the old mailbox is told, and an account already
 * in use also takes the right to reset its credentials, since the new mailbox could reset them. The caller has checked
 * that the actor may touch the account. @throws API-001, AUTH-004, AUTH-009, IAM-001
 */
export async function correctEmail(services: IamServices, tx: Tx, correction: Correction): Promise<void> {
  const { actor, user, email } = correction
  if (email === user.email) return
  assertFresh(actor, services.kernel.clock)
  if (user.id === actor.userId) throw wrong('One’s own address is changed, and proved, with PATCH /auth/me.')
  if (user.type !== 'human') throw wrong('A service account has no e-mail address.')
  if (user.status !== 'invited' && !holds(actor.permissions, 'iam:admin'))
    throw authErrors.forbidden({ permission: 'iam:admin' })
  await moveAddress(services, tx, correction)
  // Letters that set a password go to the new mailbox.
  await noteCredentialSetter(tx, { userIds: [user.id], by: actor.userId, at: services.kernel.clock.iso() })
  await services.kernel.auth.rightsChanged(tx, user.id)
  if (user.status !== 'invited') {
    await mailNotice(services, tx, { notice: 'email_changed', userId: user.id, to: user.email })
    return
  }
  // The link in a letter sent to the wrong address stops working; the right person gets a new one.
  await leave(tx, 'invitation', user.id)
  if (services.kernel.mail.configured) await invite(services, tx, { userId: user.id, by: actor.userId })
}

function wrong(detail: string) {
  return apiErrors.validation({ what: detail }).at([{ detail, pointer: '/email' }])
}
