/**
 * Setting a new password with a link from a letter. It proves the mailbox and nothing else: second factors stay, and
 * every session ends, because a person who knew the old password may hold one. Tested in reset.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { authErrors } from '../../../kernel/errors/errors.ts'
import { originOf } from '../../../kernel/module/request-scope.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { tellCredential } from '../accounts/credential-changes.ts'
import { moveUser, type UserRow } from '../accounts/status.ts'
import { revokeKeysOfSessions } from '../api-keys/revocation.ts'
import { accountDigest, forgetRow } from '../guessing/guard.ts'
import { mailNotice } from '../mail/jobs.ts'
import { closeLinks, type FoundLink, findLink, takeLink } from '../mail/links.ts'
import { assertPassword } from '../passwords/policy.ts'
import { readPasswordRules } from '../passwords/rules.ts'
import { hasFactor, writePassword } from '../passwords/write.ts'
import type { ResetPassword } from '../schemas/auth.ts'
import type { IamServices } from '../services/iam-services.ts'
import { endSessions } from '../sessions/sessions.ts'
import { users } from '../tables/users.ts'

export interface Reset {
  readonly body: ResetPassword
  readonly request: RequestInfo
}

/** @throws AUTH-002 for a link that is not good or was used, AUTH-003, IAM-002 */
export async function resetPassword(services: IamServices, { body, request }: Reset) {
  const { kernel, passwords } = services
  const found = await findLink(services, { token: body.token, purpose: 'password_reset' })
  const [around] = await kernel.db.read(
    found.home,
    sql<{ name: string; slug: string; has_factor: boolean }>`
      select name, slug, ${hasFactor(found.link.user_id)} as has_factor from iam_tenant where id = ${found.home}`,
  )
  const { needsFactor } = await assertPassword({
    password: body.new_password,
    breached: await services.breached.has(body.new_password),
    rules: await readPasswordRules(kernel, found.home, around?.has_factor ?? false),
    context: [found.link.email, around?.name ?? '', around?.slug ?? ''],
  })
  const hash = await passwords.hash(body.new_password)
  return kernel.db.tenant({ tenantId: found.home, origin: originOf(request, null) }, (tx) =>
    settle(services, tx, { found, hash, needsFactor }),
  )
}

interface Chosen {
  readonly found: FoundLink
  readonly hash: string
  readonly needsFactor: boolean
}

async function settle(services: IamServices, tx: Tx, { found, hash, needsFactor }: Chosen) {
  const { kernel } = services
  await takeLink(tx, found)
  const user = await users.needForUpdate(tx, found.link.user_id)
  // Suspended or deactivated since, or the address is no longer theirs.
  if ((user.status !== 'active' && user.status !== 'locked') || user.email !== found.link.email) {
    throw authErrors.invalid()
  }
  const at = kernel.clock.iso()
  await writePassword(tx, { userId: user.id, hash, needsFactor, at })
  const ended = await shutOthersOut(services, tx, user)
  await tx.audit('auth.password_reset', {
    target: `user:${user.id}`,
    before: { status: user.status },
    after: { status: 'active', ...ended },
  })
  await tellCredential(tx, { userId: user.id, credential: 'password', change: 'updated', by: user.id })
  await mailNotice(services, tx, { notice: 'password_reset', userId: user.id, to: user.email })
  return { password_changed_at: at, ...ended }
}

/** Ends all sessions and the keys made in them. */
async function shutOthersOut(services: IamServices, tx: Tx, user: UserRow) {
  const { auth } = services.kernel
  await closeLinks(tx, user.id)
  const ending = { condition: sql`user_id = ${user.id}`, by: user.id, reason: 'password_reset' }
  const api_keys_ended = await revokeKeysOfSessions(services, tx, ending)
  const sessions_ended = await endSessions(services, tx, ending)
  await auth.revoke(tx, 'user', user.id)
  await auth.rightsChanged(tx, user.id)
  if (user.status === 'locked') {
    await moveUser(services, tx, { user, to: 'active', mover: 'self', by: user.id, reason: 'password_reset' })
  } else if (user.email !== null) {
    await forgetRow(tx, accountDigest(services.kernel, tx.tenantId, user.email))
  }
  return { sessions_ended, api_keys_ended }
}
