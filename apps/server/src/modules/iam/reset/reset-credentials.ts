/**
 * Resets by an administrator for people who lost their credentials. Only for people whose rights are within one's own,
 * and with fresh proof, because the right to do this lets one become any of them. Tested in reset-credentials.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { assertFresh } from '../../../kernel/auth/fresh.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { noteCredentialSetter } from '../accounts/credential-setter.ts'
import { firstPasswordEnds } from '../accounts/new-account.ts'
import { moveUser, type UserRow } from '../accounts/status.ts'
import { revokeKeysOfSessions } from '../api-keys/revocation.ts'
import { errors } from '../errors/errors.ts'
import { removeFactors } from '../factors/factors.ts'
import { invite } from '../invitations/invitations.ts'
import { mailLink, mailNotice } from '../mail/jobs.ts'
import { openLink } from '../mail/links.ts'
import { hasFactor } from '../passwords/write.ts'
import { assertDominates } from '../rights/escalation.ts'
import { findSubject } from '../rights/subjects.ts'
import type { ResetCredentials, ResetDone } from '../schemas/users.ts'
import type { IamServices } from '../services/iam-services.ts'
import { endSessions } from '../sessions/sessions.ts'
import { users } from '../tables/users.ts'

export interface CredentialReset {
  readonly actor: Actor
  readonly id: string
  readonly body: ResetCredentials
}

/** @throws API-001, API-013, AUTH-009, IAM-003, IAM-004 for resets the account's state does not allow */
export async function resetCredentials(services: IamServices, tx: Tx, ask: CredentialReset): Promise<ResetDone> {
  const { actor, id, body } = ask
  const { clock } = services.kernel
  assertFresh(actor, clock)
  if (!Object.values(body).some((wanted) => wanted !== undefined && wanted !== false)) {
    throw apiErrors.validation({ what: 'Say what to reset.' })
  }
  const user = await users.needForUpdate(tx, id)
  const subject = await findSubject(tx, id, clock.now())
  if (subject === null) throw apiErrors.notFound({ what: users.noun })
  assertDominates(actor, subject)
  if (user.status === 'erased') throw errors.illegalMove({ what: 'user', from: 'erased', to: 'reset' })
  const done = await resetAll(services, tx, { ...ask, user })
  await services.kernel.auth.rightsChanged(tx, id)
  const { invitation_url: _secret, ...shown } = done
  await tx.audit('iam.user.reset_credentials', { target: `user:${id}`, before: { status: user.status }, after: shown })
  return done
}

type Resetting = CredentialReset & { readonly user: UserRow }

async function resetAll(services: IamServices, tx: Tx, ask: Resetting): Promise<ResetDone> {
  const { body, user, id } = ask
  if (body.unlock === true) await unlock(services, tx, ask)
  if (body.password === true) await forceNewPassword(services, tx, user)
  if (body.password === true || body.factors !== undefined)
    await noteCredentialSetter(tx, { userIds: [id], by: ask.actor.userId, at: services.kernel.clock.iso() })
  const removed = body.factors === undefined ? 0 : await takeFactors(services, tx, { ask, kinds: body.factors })
  const invitation = body.invitation === true ? await sendAgain(services, tx, ask) : {}
  const ended = body.sessions === true ? await endAll(services, tx, ask) : 0
  return {
    id,
    password: body.password === true,
    factors_removed: removed,
    sessions_ended: ended,
    unlocked: body.unlock === true,
    ...invitation,
  }
}

async function unlock(services: IamServices, tx: Tx, { user, actor }: Resetting): Promise<void> {
  if (user.status !== 'locked') throw errors.illegalMove({ what: 'user', from: user.status, to: 'active' })
  await moveUser(services, tx, { user, to: 'active', mover: 'administrator', by: actor.userId, reason: 'unlocked' })
}

/** The old one opens a session that can do one thing: set another. Where mail is configured a link does that too. */
async function forceNewPassword(services: IamServices, tx: Tx, user: UserRow): Promise<void> {
  const open = user.status === 'active' || user.status === 'locked'
  if (user.password_hash === null || user.email === null || !open) {
    throw errors.illegalMove({ what: 'user', from: user.status, to: 'one who must change the password' })
  }
  const now = services.kernel.clock.iso()
  // An expired first password gets a new term: only an administrator could have set it.
  await tx.execute(sql`
    update iam_user
    set must_change_password = true, version = version + 1, updated_at = ${now},
      password_expires_at = case when password_expires_at is null then null else ${firstPasswordEnds(now)}::timestamptz end
    where id = ${user.id}`)
  if (!services.kernel.mail.configured) return
  await openLink(services, tx, { userId: user.id, purpose: 'password_reset', email: user.email })
  await mailLink(services, tx, { letter: 'password_reset', userId: user.id })
}

/** A person who needs a factor gets no second grace period: the next sign-in enrolls one. */
async function takeFactors(
  services: IamServices,
  tx: Tx,
  { ask, kinds }: { readonly ask: Resetting; readonly kinds: NonNullable<ResetCredentials['factors']> },
): Promise<number> {
  const { user, actor } = ask
  const removed = await removeFactors(tx, { userId: user.id, kinds, by: actor.userId })
  if (removed === 0) return 0
  // A password that was good beside a factor only opens a session that can do one thing: set another.
  await tx.execute(sql`
    update iam_user
    set mfa_deadline = ${services.kernel.clock.iso()},
      must_change_password = must_change_password or (password_needs_factor and not ${hasFactor(user.id)})
    where id = ${user.id}`)
  await mailNotice(services, tx, { notice: 'factor_removed', userId: user.id, to: user.email })
  return removed
}

function sendAgain(services: IamServices, tx: Tx, { user, actor }: Resetting) {
  if (user.status !== 'invited') throw errors.illegalMove({ what: 'user', from: user.status, to: 'invited' })
  return invite(services, tx, { userId: user.id, by: actor.userId })
}

async function endAll(services: IamServices, tx: Tx, { user, actor }: Resetting): Promise<number> {
  const ending = { condition: sql`user_id = ${user.id}`, by: actor.userId, reason: 'administrator' }
  await revokeKeysOfSessions(services, tx, ending)
  const ended = await endSessions(services, tx, ending)
  await services.kernel.auth.revoke(tx, 'user', user.id)
  return ended
}
