/**
 * Changes people make to their own account other than its credentials. A new e-mail address takes effect once its
 * mailbox is verified; until then, and if it never is, the old one stays. Tested in profile.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import { assertFresh, stepUpNeeded } from '../../../kernel/auth/fresh.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { anyVersion } from '../../../kernel/http/answer/etag.ts'
import { originOf } from '../../../kernel/module/request-scope.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { change, type Held, hold } from '../../../kernel/resource/resource.ts'
import { assertNotManaged } from '../accounts/managed-fields.ts'
import type { UserRow } from '../accounts/status.ts'
import { userResource } from '../accounts/user-resource.ts'
import { used } from '../directory/directory.ts'
import { mailLink, mailNotice } from '../mail/jobs.ts'
import { type FoundLink, findLink, openLink, takeLink } from '../mail/links.ts'
import type { ConfirmEmail, PatchMe } from '../schemas/auth.ts'
import { homeScope, type IamServices } from '../services/iam-services.ts'
import { users } from '../tables/users.ts'
import { moveAddress } from '../users/email.ts'

export interface OwnChange {
  readonly actor: Actor
  readonly request: RequestInfo
  readonly body: PatchMe
}

/** @throws API-011 for a new address where no mail is configured, AUTH-009 for a new address, and for keys, IAM-010 */
export async function changeMe(services: IamServices, ask: OwnChange): Promise<void> {
  const { actor, request, body } = ask
  const { kernel } = services
  if (actor.sessionId === null) throw stepUpNeeded()
  if (body.email !== undefined) assertFresh(actor, kernel.clock)
  if (body.email !== undefined && !kernel.mail.configured) {
    throw apiErrors.conflict({ what: 'A new address is proved by a letter, and no mail relay is configured.' })
  }
  await kernel.db.tenant(homeScope(request, actor), async (tx) => {
    const held = await hold(tx, userResource, { id: actor.userId, precondition: anyVersion })
    const user = held.row
    assertNotManaged(user, body)
    const { email, ...profile } = body
    if (Object.keys(profile).length > 0) await writeProfile(services, tx, { held, profile })
    if (email !== undefined && email !== user.email) await askForProof(services, tx, { user, email })
  })
}

interface Written {
  readonly held: Held<UserRow>
  readonly profile: Omit<PatchMe, 'email'>
}

async function writeProfile({ kernel }: IamServices, tx: Tx, { held, profile }: Written): Promise<void> {
  const user = held.row
  const { display_name = user.display_name, locale = user.locale, time_zone = user.time_zone } = profile
  const changes = { display_name, locale, time_zone }
  const before = { display_name: user.display_name, locale: user.locale, time_zone: user.time_zone }
  await change(kernel, tx, held, { action: 'auth.profile_change', changes, before, after: () => changes })
}

/** Does not check whether another account has the address: only the owner of the mailbox may learn that. */
async function askForProof(
  services: IamServices,
  tx: Tx,
  { user, email }: { readonly user: UserRow; readonly email: string },
): Promise<void> {
  await openLink(services, tx, { userId: user.id, purpose: 'email_change', email })
  await mailLink(services, tx, { letter: 'email_change', userId: user.id })
  await mailNotice(services, tx, { notice: 'email_change_asked', userId: user.id, to: user.email })
  await tx.audit('auth.email_change_ask', {
    target: `user:${user.id}`,
    before: { email: user.email },
    after: { email },
  })
}

/** @throws AUTH-002 for a link that is not good or was used, AUTH-003, IAM-001 */
export async function confirmEmail(
  services: IamServices,
  { body, request }: { readonly body: ConfirmEmail; readonly request: RequestInfo },
) {
  const found = await findLink(services, { token: body.token, purpose: 'email_change' })
  const scope = { tenantId: found.home, origin: originOf(request, null) }
  return services.kernel.db.tenant(scope, (tx) => settle(services, tx, found))
}

async function settle(services: IamServices, tx: Tx, found: FoundLink) {
  const { clock } = services.kernel
  await takeLink(tx, found)
  const user = await users.needForUpdate(tx, found.link.user_id)
  if (user.status !== 'active' && user.status !== 'locked') throw authErrors.invalid()
  const { email } = found.link
  const at = clock.iso()
  await moveAddress(services, tx, { user, email })
  await used(tx, user.id, at)
  await tx.audit('auth.email_change', { target: `user:${user.id}`, before: { email: user.email }, after: { email } })
  await mailNotice(services, tx, { notice: 'email_changed', userId: user.id, to: user.email })
  return { id: user.id, email }
}
