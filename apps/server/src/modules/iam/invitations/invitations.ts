/**
 * Invitations: a link with a secret that lets one person set a password, or a passkey, and become active, once, within
 * seven days. The inviter's right to grant the roles is checked when the link is made and again when it is used. Tested
 * in invitations.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { apiErrors, authErrors } from '../../../kernel/errors/errors.ts'
import { originOf } from '../../../kernel/module/request-scope.ts'
import type { RequestInfo } from '../../../kernel/module/route.ts'
import { tellCredential } from '../accounts/credential-changes.ts'
import { noteCredentialSetter } from '../accounts/credential-setter.ts'
import { moveUser, type UserRow } from '../accounts/status.ts'
import { leave, used } from '../directory/directory.ts'
import { exceedsRights } from '../errors/errors.ts'
import { type FoundInvitation, findInvitation, type Invited } from '../mail/invitation-lookup.ts'
import { mailLink } from '../mail/jobs.ts'
import { issueToken } from '../mail/links.ts'
import { type FirstPasskey, firstPasskey, storeFirstPasskey } from '../passkeys/invited.ts'
import { assertPassword } from '../passwords/policy.ts'
import { readPasswordRules } from '../passwords/rules.ts'
import { assertCanGrantRoles } from '../rights/escalation.ts'
import { findSubject, rightsOf, type Subject, subjectOf, subjectStatement } from '../rights/subjects.ts'
import type { AcceptInvitation } from '../schemas/auth.ts'
import type { IamServices } from '../services/iam-services.ts'
import { users } from '../tables/users.ts'

export const invitationLifeMs = 7 * 86_400_000

export interface Invitation {
  /** Absent where the link is mailed: then only the invited person ever sees it. */
  readonly invitation_url?: string
  readonly invitation_expires_at: string
}

/** Invites a user: by mail, or where there is none with a link whose secret stands after `#`, where browsers keep it. */
export async function invite(
  services: IamServices,
  tx: Tx,
  { userId, by }: { readonly userId: string; readonly by: string },
): Promise<Invitation> {
  const { config, clock, mail } = services.kernel
  const expires = new Date(clock.now() + invitationLifeMs).toISOString()
  await tx.execute(sql`update iam_user set invitation_expires_at = ${expires} where id = ${userId}`)
  if (mail.configured) {
    await leave(tx, 'invitation', userId)
    await mailLink(services, tx, { letter: 'invitation', userId })
    return { invitation_expires_at: expires }
  }
  // The inviter receives the link and could accept it in the person's place.
  await noteCredentialSetter(tx, { userIds: [userId], by, at: clock.iso() })
  const token = await issueToken(services.kernel, tx, { kind: 'invitation', subject: userId })
  return { invitation_url: `${config.publicUrl}/invite#${token}`, invitation_expires_at: expires }
}

export interface Acceptance {
  readonly body: AcceptInvitation
  readonly request: RequestInfo
}

/** @throws API-001, AUTH-002 for a link that is not good or was used, AUTH-003, AUTH-015, IAM-002, IAM-003 when the inviter may no longer grant this */
export async function acceptInvitation(services: IamServices, { body, request }: Acceptance) {
  const found = await findInvitation(services, body.token)
  const proof = await proofOf(services, { body, found })
  const inviter = await readInviter(services, found.invited)
  const accepted = { body, digest: found.digest, inviter, userId: found.userId, proof }
  const scope = { tenantId: found.home, origin: originOf(request, null) }
  return services.kernel.db.tenant(scope, (tx) => settle(services, tx, accepted))
}

/** The credential the person will sign in with. */
type SignInProof =
  | { readonly kind: 'password'; readonly hash: string }
  | { readonly kind: 'passkey'; readonly passkey: FirstPasskey }

/** @throws API-001, API-011, AUTH-015, IAM-002 */
async function proofOf(
  services: IamServices,
  { body, found }: { readonly body: AcceptInvitation; readonly found: FoundInvitation },
): Promise<SignInProof> {
  const { password, credential } = body
  if (credential !== undefined && password === undefined) {
    return { kind: 'passkey', passkey: await firstPasskey(services, found, credential) }
  }
  if (password === undefined || credential !== undefined) {
    const detail = 'Give a password or a passkey, and not both.'
    throw apiErrors.validation({ what: detail }).at([{ detail, pointer: '/password' }])
  }
  const { email, tenant_name, slug } = found.invited
  const rules = await readPasswordRules(services.kernel, found.home, false)
  const breached = await services.breached.has(password)
  await assertPassword({ password, breached, rules, context: [email, tenant_name, slug] })
  return { kind: 'password', hash: await services.passwords.hash(password) }
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
  readonly proof: SignInProof
}

async function settle(services: IamServices, tx: Tx, accepted: Accepted) {
  // The request that deletes the entry uses up the link; all others are too late.
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
  const { proof, body } = accepted
  if (proof.kind === 'passkey') await storeFirstPasskey(services, tx, { userId: user.id, passkey: proof.passkey, body })
  return {
    id: user.id,
    tenant_id: user.tenant_id,
    email: user.email,
    role: subject.primaryRole,
    status: 'active' as const,
    ...(proof.kind === 'passkey' ? { recovery_codes: [...proof.passkey.codes.codes] } : {}),
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
  const hash = accepted.proof.kind === 'password' ? accepted.proof.hash : null
  await tx.execute(sql`
    update iam_user
    set password_hash = ${hash}, password_changed_at = ${hash === null ? null : now},
      display_name = ${accepted.body.display_name ?? user.display_name}
    where id = ${user.id}`)
  await tellCredential(tx, { userId: user.id, credential: accepted.proof.kind, change: 'created', by: user.id })
  await tx.audit('auth.invitation_accept', {
    target: `user:${user.id}`,
    before: { status: user.status },
    after: { status: 'active' },
  })
}
