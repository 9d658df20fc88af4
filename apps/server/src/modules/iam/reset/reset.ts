/**
 * Setting a new password with a link from a letter. It proves the mailbox and nothing else: second factors stay, and
 * every session ends, because whoever knew the old password may hold one. Tested in reset.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { authErrors } from '../../../kernel/http/errors.ts'
import type { RequestInfo } from '../../../kernel/route.ts'
import { mailNotice } from '../mail/jobs.ts'
import { closeLinks, type FoundLink, findLink, takeLink } from '../mail/links.ts'
import { assertPassword } from '../passwords/policy.ts'
import type { ResetPassword } from '../schemas/auth.ts'
import { type IamServices, originOf } from '../services.ts'
import { endSessions } from '../sessions.ts'
import { accountDigest, forgetRow } from '../sign-in/guard.ts'
import { users } from '../tables.ts'
import { moveUser, type UserRow } from '../user-status.ts'

export interface Reset {
  readonly body: ResetPassword
  readonly request: RequestInfo
}

/** @throws AUTH-002 for a link that is not good or was used, AUTH-003, IAM-002 */
export async function resetPassword(services: IamServices, { body, request }: Reset) {
  const { kernel, passwords } = services
  const found = await findLink(services, { token: body.token, purpose: 'password_reset' })
  const [words] = await kernel.db.read(
    found.home,
    sql<{ name: string; slug: string }>`select name, slug from iam_tenant where id = ${found.home}`,
  )
  await assertPassword({
    password: body.new_password,
    context: [found.link.email, words?.name ?? '', words?.slug ?? ''],
  })
  const hash = await passwords.hash(body.new_password)
  return kernel.db.tenant({ tenantId: found.home, origin: originOf(request, null) }, (tx) =>
    settle(services, tx, { found, hash }),
  )
}

async function settle(services: IamServices, tx: Tx, { found, hash }: { found: FoundLink; hash: string }) {
  const { kernel } = services
  await takeLink(tx, found)
  const user = await users.needForUpdate(tx, found.link.user_id)
  // Suspended or deactivated since, or the address is no longer theirs.
  if ((user.status !== 'active' && user.status !== 'locked') || user.email !== found.link.email) {
    throw authErrors.invalid()
  }
  const at = kernel.clock.iso()
  const ended = await writePassword(services, tx, { user, hash, at })
  await tx.audit('auth.password_reset', {
    target: `user:${user.id}`,
    before: { status: user.status },
    after: { status: 'active', sessions_ended: ended },
  })
  await mailNotice(services, tx, { notice: 'password_reset', userId: user.id, to: user.email })
  return { password_changed_at: at, sessions_ended: ended }
}

async function writePassword(
  services: IamServices,
  tx: Tx,
  { user, hash, at }: { readonly user: UserRow; readonly hash: string; readonly at: string },
): Promise<number> {
  const { auth } = services.kernel
  await tx.execute(sql`
    update iam_user
    set password_hash = ${hash}, password_changed_at = ${at}, must_change_password = false, password_expires_at = null,
      version = version + 1, updated_at = ${at}
    where id = ${user.id}`)
  await closeLinks(tx, user.id)
  const ended = await endSessions(services, tx, {
    condition: sql`user_id = ${user.id}`,
    by: user.id,
    reason: 'password_reset',
  })
  await auth.revoke(tx, 'user', user.id)
  await auth.rightsChanged(tx, user.id)
  if (user.status === 'locked') {
    await moveUser(services, tx, { user, to: 'active', mover: 'self', by: user.id, reason: 'password_reset' })
  } else if (user.email !== null) {
    await forgetRow(tx, accountDigest(services.kernel, tx.tenantId, user.email))
  }
  return ended
}
