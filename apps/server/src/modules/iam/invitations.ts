/**
 * Invitations: a link with a secret that lets one person set a password and become active, once, within seven days.
 * What the inviter may grant is checked when the link is made and again when it is used. Tested in invitations.test.ts.
 */
import type { TenantId } from '../../kernel/auth/actor.ts'
import type { Tx } from '../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../kernel/db/sql.ts'
import { authErrors } from '../../kernel/http/errors.ts'
import type { RequestInfo } from '../../kernel/route.ts'
import { directoryDigest, type Home, homeOf, leave, used } from './directory.ts'
import { exceedsRights } from './errors.ts'
import { assertCanGrantRoles } from './escalation.ts'
import { mailLink } from './mail/jobs.ts'
import { issueToken } from './mail/links.ts'
import { assertPassword } from './passwords/policy.ts'
import type { AcceptInvitation } from './schemas/auth.ts'
import { type IamServices, originOf } from './services.ts'
import { findSubject, rightsOf, type Subject, subjectOf, subjectStatement } from './subjects.ts'
import { users } from './tables.ts'
import { moveUser, type UserRow } from './user-status.ts'

export const invitationLifeMs = 7 * 86_400_000

export interface Invitation {
  /** Absent where the link is mailed: then only the invited person ever sees it. */
  readonly invitation_url?: string
  readonly invitation_expires_at: string
}

/** Invites a user: by mail, or where there is none with a link whose secret stands after `#`, where browsers keep it. */
export async function invite(services: IamServices, tx: Tx, userId: string): Promise<Invitation> {
  const { config, clock, mail } = services.kernel
  const expires = new Date(clock.now() + invitationLifeMs).toISOString()
  await tx.execute(sql`update iam_user set invitation_expires_at = ${expires} where id = ${userId}`)
  if (mail.configured) {
    await leave(tx, 'invitation', userId)
    await mailLink(services, tx, { letter: 'invitation', userId })
    return { invitation_expires_at: expires }
  }
  const token = await issueToken(services.kernel, tx, { kind: 'invitation', subject: userId })
  return { invitation_url: `${config.publicUrl}/invite#${token}`, invitation_expires_at: expires }
}

export interface Acceptance {
  readonly body: AcceptInvitation
  readonly request: RequestInfo
}

/** @throws AUTH-002 for a link that is not good or was used, AUTH-003, IAM-002, IAM-003 when the inviter may no longer grant this */
export async function acceptInvitation(services: IamServices, { body, request }: Acceptance) {
  const { kernel, passwords } = services
  const digest = directoryDigest(kernel.platformKeys, 'invitation', body.token)
  const found = await homeOf(kernel.db, { kind: 'invitation', digest })
  const invited = found === null ? null : await readInvited(services, found)
  if (found === null || invited === null) throw authErrors.invalid()
  if (Date.parse(invited.invitation_expires_at) <= kernel.clock.now()) throw authErrors.expired()
  await assertPassword({ password: body.password, context: [invited.email, invited.tenant_name, invited.slug] })
  const inviter = await readInviter(services, invited)
  const accepted = { body, digest, inviter, userId: found.subject, hash: await passwords.hash(body.password) }
  return kernel.db.tenant({ tenantId: found.home, origin: originOf(request, null) }, (tx) =>
    settle(services, tx, accepted),
  )
}

interface Invited {
  readonly email: string
  readonly invitation_expires_at: string
  readonly invited_by: string | null
  readonly invited_by_tenant: TenantId | null
  readonly tenant_name: string
  readonly slug: string
}

async function readInvited({ kernel }: IamServices, { home, subject }: Home): Promise<Invited | null> {
  const [row] = await kernel.db.read(
    home,
    sql<Invited>`
      select u.email, u.invitation_expires_at, u.invited_by, u.invited_by_tenant, t.name as tenant_name, t.slug
      from iam_user u
      join iam_tenant t on t.id = u.tenant_id
      where u.id = ${subject} and u.status = 'invited' and u.invitation_expires_at is not null and t.status = 'active'`,
  )
  return row ?? null
}

async function readInviter({ kernel }: IamServices, invited: Invited): Promise<Subject | null> {
  if (invited.invited_by === null || invited.invited_by_tenant === null) return null
  const condition: SqlPart = sql`u.id = ${invited.invited_by}`
  const [row] = await kernel.db.read(invited.invited_by_tenant, subjectStatement(condition))
  return row === undefined ? null : subjectOf(row, kernel.clock.now())
}

interface Accepted {
  readonly body: AcceptInvitation
  readonly digest: string
  readonly inviter: Subject | null
  readonly userId: string
  readonly hash: string
}

async function settle(services: IamServices, tx: Tx, accepted: Accepted) {
  // Whoever takes the entry out has the link; everybody else comes too late.
  const taken = await tx.execute(
    sql`delete from iam_directory where kind = 'invitation' and digest = ${accepted.digest} and home = ${tx.tenantId}`,
  )
  if (taken === 0) throw authErrors.invalid()
  const { clock } = services.kernel
  const user = await users.needForUpdate(tx, accepted.userId)
  const subject = await findSubject(tx, user.id, clock.now())
  if (subject === null || user.email === null) throw authErrors.invalid()
  assertInviterMayGrant(accepted.inviter, subject)
  await activate(services, tx, { user, accepted })
  await used(tx, user.id, clock.iso())
  return {
    id: user.id,
    tenant_id: user.tenant_id,
    email: user.email,
    role: subject.primaryRole,
    status: 'active' as const,
  }
}

function assertInviterMayGrant(inviter: Subject | null, subject: Subject): void {
  if (inviter?.active !== true) throw exceedsRights(['iam:write'])
  assertCanGrantRoles(rightsOf(inviter), subject.roles)
}

async function activate(
  services: IamServices,
  tx: Tx,
  change: { readonly user: UserRow; readonly accepted: Accepted },
): Promise<void> {
  const { user, accepted } = change
  const now = services.kernel.clock.iso()
  await moveUser(services, tx, { user, to: 'active', mover: 'self', by: user.id, reason: null })
  await tx.execute(sql`
    update iam_user
    set password_hash = ${accepted.hash}, password_changed_at = ${now},
      display_name = ${accepted.body.display_name ?? user.display_name}
    where id = ${user.id}`)
  await tx.audit('auth.invitation_accept', {
    target: `user:${user.id}`,
    before: { status: user.status },
    after: { status: 'active' },
  })
}
