/**
 * Erases a person: the row stays as an id with a placeholder name, and all data that identified the person is removed
 * from every table in one transaction, including values in the audit log, whose chain stays valid. It applies only to
 * accounts that have been deactivated, and cannot be undone. Not covered: backups and exported files made before (a
 * restore erases again, see again.ts), and mentions of the person in free text written by others. Tested in
 * erase.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { assertFresh } from '../../../kernel/auth/fresh.ts'
import { assertSubjectNotHeld } from '../../../kernel/data-registry/holds.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { anyVersion, type Precondition } from '../../../kernel/http/answer/etag.ts'
import { forgetAnswers } from '../../../kernel/http/idempotency.ts'
import { hold, write } from '../../../kernel/resource/resource.ts'
import { userActivated, userDeactivated, userErased, userLocked, userSuspended } from '../accounts/events.ts'
import type { UserRow } from '../accounts/status.ts'
import { userResource } from '../accounts/user-resource.ts'
import { errors } from '../errors/errors.ts'
import { forgetAccounts } from '../guessing/guard.ts'
import { forgetLetters } from '../mail/jobs.ts'
import { keepingAdministrators } from '../rights/administrators.ts'
import { assertMayTouch } from '../rights/escalation.ts'
import { findSubject } from '../rights/subjects.ts'
import { canMove } from '../schemas/user-states.ts'
import type { IamServices } from '../services/iam-services.ts'
import { users } from '../tables/users.ts'
import { addressesOf, eraseSubject, eraseToldWords } from './erase-subject.ts'
import { erasedKeyName, handOver, heirOf } from './heir.ts'
import { eraseLate } from './jobs.ts'

/** Display name of an erased person; a database constraint enforces it. */
const placeholder = 'Erased user'

export interface UserRemoval {
  readonly actor: Actor
  readonly id: string
  readonly precondition: Precondition
}

export interface Erasure extends UserRemoval {
  readonly transferTo: string | undefined
}

/** A repeated call is answered as the first was. @throws API-001, API-012, API-013, API-032, AUTH-009, IAM-003, IAM-004, IAM-005 */
export async function eraseUser(services: IamServices, tx: Tx, ask: Erasure) {
  const { actor, id } = ask
  const { clock } = services.kernel
  assertFresh(actor, clock)
  const user = await users.needForUpdate(tx, id)
  const subject = await findSubject(tx, id, clock.now())
  if (subject === null) throw apiErrors.notFound({ what: users.noun })
  assertMayTouch(actor, subject)
  const heir = ask.transferTo === undefined ? null : await heirOf(tx, { ...ask, heirId: ask.transferTo }, clock.now())
  const target = `user:${id}`
  const done = { id, deleted: true, mode: 'erase' as const }
  if (user.status === 'erased') {
    await tx.audit('iam.user.erase', { target, before: { status: 'erased' }, after: { status: 'erased' } })
    return done
  }
  ask.precondition.expectVersion(user.version)
  if (!canMove(user.status, 'erased', 'administrator'))
    throw errors.illegalMove({ what: 'user', from: user.status, to: 'erased' })
  await assertSubjectNotHeld(tx, { userIds: [id], aliases: user.email === null ? [] : [user.email] })
  const removed = await keepingAdministrators(tx, clock.now(), () => erase(services, tx, user, heir))
  await tx.audit('iam.user.erase', {
    target,
    before: { status: user.status },
    after: { status: 'erased', transfer_to: heir, rows_removed: removed },
  })
  await tx.emit(userErased, `user/${id}`, { user_id: id, actor_id: actor.userId })
  await eraseLate(services, tx, id)
  return done
}

/** As `eraseUser`, for a request that others have decided. @throws API-032, IAM-004, IAM-005 */
export async function erasePerson(services: IamServices, tx: Tx, id: string): Promise<Removed | null> {
  const { clock } = services.kernel
  const user = await tx.first(sql<UserRow>`select ${users.columns} from iam_user where id = ${id} for update`)
  if (user === null || user.status === 'erased') return null
  if (!canMove(user.status, 'erased', 'administrator'))
    throw errors.illegalMove({ what: 'user', from: user.status, to: 'erased' })
  await assertSubjectNotHeld(tx, { userIds: [id], aliases: user.email === null ? [] : [user.email] })
  const removed = await keepingAdministrators(tx, clock.now(), () => erase(services, tx, user, null))
  await tx.audit('iam.user.erase', {
    target: `user:${id}`,
    before: { status: user.status },
    after: { status: 'erased', rows_removed: removed, source: 'request' },
  })
  await tx.emit(userErased, `user/${id}`, { user_id: id, actor_id: tx.origin.actor?.userId ?? id })
  await eraseLate(services, tx, id)
  return removed
}

type Removed = Awaited<ReturnType<typeof eraseSubject>>

/** Everything of a person; the caller tells of it. */
export async function erase(services: IamServices, tx: Tx, user: UserRow, heir: string | null): Promise<Removed> {
  const { kernel } = services
  const { id } = user
  const keys = await tx.query(sql<{ id: string }>`select id from iam_api_key where owner_id = ${id}`)
  await handOver(tx, { userId: id, heir, at: kernel.clock.iso() })
  await leaveDirectory(tx, id)
  const addresses = [
    ...new Set([...(user.email === null ? [] : [user.email.toLowerCase()]), ...(await addressesOf(tx, id))]),
  ]
  await forgetAccounts(kernel, tx, addresses)
  await forgetLetters(tx, id)
  await forgetAnswers(kernel.tenantKeys, tx, { userId: id, keyIds: keys.map((key) => key.id), words: addresses })
  const events = [userActivated, userSuspended, userLocked, userDeactivated]
  await eraseToldWords(tx, { subject: `user/${id}`, events, member: 'reason' })
  // Copies of whole tables; they can be made again, without the person.
  await tx.execute(sql`delete from iam_tenant_export`)
  await tx.execute(sql`
    update iam_access_review_item item
    set reason = null, grant_name = case when item.key_id is null then item.grant_name else ${erasedKeyName} end
    from iam_access_review r
    where r.tenant_id = item.tenant_id and r.id = item.review_id and r.status = 'open' and item.user_id = ${id}`)
  const removed = await eraseSubject(tx, kernel.tables, id)
  await blank(services, tx, id)
  await kernel.auth.rightsChanged(tx, id)
  return removed
}

/** Everything that leads here from a credential, before the rows go that say which those were. */
async function leaveDirectory(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`
    delete from iam_directory
    where home = ${tx.tenantId} and (subject = ${userId}
      or subject in (select id from iam_factor where user_id = ${userId})
      or subject in (select id from iam_mail_link where user_id = ${userId})
      or subject in (select id from iam_outside_token where user_id = ${userId})
      or subject in (select id from iam_api_key where owner_id = ${userId}))`)
}

async function blank({ kernel }: IamServices, tx: Tx, id: string): Promise<void> {
  await write(kernel, tx, await hold(tx, userResource, { id, precondition: anyVersion }), {
    status: 'erased',
    display_name: placeholder,
    managed_by: 'local',
    ...{ email: null, email_key: null, status_reason: null, locale: null, time_zone: null, department: null },
    ...{ manager_id: null, external_id: null, expires_at: null, invitation_expires_at: null },
    ...{ password_hash: null, password_changed_at: null, must_change_password: false, mfa_deadline: null },
    ...{ last_login_at: null, last_active_at: null, active_since: null, dormant_warned_at: null },
    ...{ password_expires_at: null, password_needs_factor: false },
  })
}
