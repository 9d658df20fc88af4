/**
 * Finds the account of an asserted identity. A known person is recognized only by connection and subject; an
 * account is linked, or made, only for an address in a domain the connection has proven and the provider has verified;
 * people with more rights than the administrator who activated the connection are refused. Tested in
 * ../connections/connections.test.ts.
 */
import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { userActivated } from '../../accounts/events.ts'
import { addAccount } from '../../accounts/new-account.ts'
import { emailKey } from '../../directory/email-address.ts'
import { assertRoomFor } from '../../quotas/quotas.ts'
import { keepingAdministrators } from '../../rights/administrators.ts'
import { assertCanGrantRoles, assertDominates, type Grantor } from '../../rights/escalation.ts'
import { userRoleChanged } from '../../rights/events.ts'
import { setRoles } from '../../rights/granted-roles.ts'
import { findSubject, type GrantedRole, type Subject } from '../../rights/subjects.ts'
import type { IamServices } from '../../services/iam-services.ts'
import { ownsDomainOf } from '../domains.ts'
import type { AssertedIdentity } from '../identity.ts'
import { refused } from '../refusals.ts'
import { type ConnectionRow, ssoIdentities } from '../tables.ts'
import { mappedRoles } from './groups.ts'
import { followName } from './profile.ts'

export interface Arrival {
  readonly connection: ConnectionRow
  readonly identity: AssertedIdentity
  readonly activator: Grantor
}

/** The user who has come in, with the roles the groups give. @throws SsoRefusal, IAM-003, IAM-005, IAM-009 */
export async function admit(services: IamServices, tx: Tx, arrival: Arrival): Promise<Subject> {
  const { connection, identity } = arrival
  // The first sign-in of one person in two windows makes one account.
  await tx.lock('iam.sso_subject', `${connection.id}/${identity.subject}`)
  const userId =
    (await known(tx, arrival)) ?? (await link(services, tx, arrival)) ?? (await provision(services, tx, arrival))
  const subject = await activeSubject(services, tx, userId)
  // Before the groups and after them: neither what one is nor what one becomes may exceed the activator.
  assertDominates(arrival.activator, subject)
  await applyGroups(services, tx, { arrival, subject })
  await followName(services.kernel, tx, { userId, identity })
  const admitted = await activeSubject(services, tx, userId)
  assertDominates(arrival.activator, admitted)
  return admitted
}

async function activeSubject({ kernel }: IamServices, tx: Tx, userId: string): Promise<Subject> {
  const subject = await findSubject(tx, userId, kernel.clock.now())
  if (subject === null || !subject.active || subject.tenant_status === 'deleted')
    throw refused('the account is not active')
  if (subject.type !== 'human') throw refused('service accounts do not sign in')
  if (subject.roles.length === 0) throw refused('no role is given to this person')
  return subject
}

async function known(tx: Tx, { connection, identity }: Arrival): Promise<string | null> {
  const row = await tx.first(sql<{ user_id: string }>`
    select user_id from iam_sso_identity
    where connection_id = ${connection.id} and subject = ${identity.subject}`)
  return row?.user_id ?? null
}

/** The address, if the provider may speak for it. @throws SsoRefusal */
function provenAddress({ connection, identity }: Arrival): { readonly email: string; readonly key: string } {
  const { email } = identity
  if (email === null || !/^[^\s@]+@[^\s@]+$/.test(email)) throw refused('the provider named no e-mail address')
  if (!identity.emailVerified) throw refused('the provider does not say that the e-mail address is verified')
  const key = emailKey(email)
  if (!ownsDomainOf(connection, key)) throw refused('the e-mail address is not in a verified domain of this connection')
  return { email, key }
}

/** Links an account that has the address, if everything allows it; null when there is no such account. */
async function link(services: IamServices, tx: Tx, arrival: Arrival): Promise<string | null> {
  const { key } = provenAddress(arrival)
  const row = await tx.first(sql<{ id: string }>`select id from iam_user where email_key = ${key} for update`)
  if (row === null) return null
  if (arrival.connection.link_policy !== 'verified_domain') throw refused('accounts are not linked by this connection')
  const subject = await activeSubject(services, tx, row.id)
  if (subject.operator) throw refused('accounts that run the platform are not linked')
  assertDominates(arrival.activator, subject)
  await remember(services, tx, { arrival, userId: row.id })
  await tx.audit('iam.sso_identity.link', { target: `user:${row.id}`, after: identityFacts(arrival) })
  return row.id
}

async function provision(services: IamServices, tx: Tx, arrival: Arrival): Promise<string> {
  const { connection, identity, activator } = arrival
  if (!connection.jit_enabled) throw refused('there is no account for this person, and none is made by this connection')
  const { email } = provenAddress(arrival)
  const wanted = mappedRoles(connection.default_role_ids, identity.groups, connection.group_mappings)
  const roles = await existingRoles(tx, wanted)
  if (roles.length === 0 || roles.length > 10) throw refused('the groups and defaults give no role, or more than ten')
  assertCanGrantRoles({ permissions: activator.permissions, operator: false }, roles)
  const { clock } = services.kernel
  await assertRoomFor(tx, 'users', clock.iso(), services.seatLimit(tx.tenantId))
  const userId = await addAccount(services, tx, {
    type: 'human',
    email,
    status: 'active',
    roleIds: roles.map(({ id }) => id),
    passwordHash: null,
    mustChangePassword: false,
    profile: { display_name: identity.name },
    by: null,
    // A provider that sends no name leaves the profile to local administrators.
    from: { profile: identity.name === null ? 'local' : 'sso', roles: 'sso' },
  })
  await remember(services, tx, { arrival, userId })
  const after = { ...identityFacts(arrival), role_ids: roles.map(({ id }) => id) }
  await tx.audit('iam.user.provision', { target: `user:${userId}`, after })
  await tx.emit(userActivated, `user/${userId}`, { user_id: userId, actor_id: null, reason: 'sso' })
  return userId
}

const identityFacts = ({ connection, identity }: Arrival) => ({
  connection_id: connection.id,
  subject: identity.subject,
})

async function remember(
  { kernel }: IamServices,
  tx: Tx,
  { arrival, userId }: { readonly arrival: Arrival; readonly userId: string },
): Promise<void> {
  const at = kernel.clock.iso()
  const { connection_id, subject } = identityFacts(arrival)
  const row = { tenant_id: tx.tenantId, connection_id, subject, user_id: userId, created_at: at, last_login_at: at }
  await ssoIdentities.insert(tx, row)
}

/** Those of the roles that still exist, in the order asked for. */
async function existingRoles(tx: Tx, ids: readonly string[]): Promise<readonly GrantedRole[]> {
  const rows = await tx.query(
    sql<GrantedRole>`select id, name, builtin, permissions from iam_role where id = any(${ids}::uuid[])`,
  )
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? [])
}

async function applyGroups(
  services: IamServices,
  tx: Tx,
  { arrival, subject }: { readonly arrival: Arrival; readonly subject: Subject },
): Promise<void> {
  const { connection, identity, activator } = arrival
  // With too many groups to be listed, the person's groups are unknown: their roles stay.
  if (!identity.groupsComplete) return
  const before = subject.roles.map(({ id }) => id)
  const roles = await existingRoles(tx, mappedRoles(before, identity.groups, connection.group_mappings))
  const after = roles.map(({ id }) => id)
  if (after.length === before.length && after.every((id) => before.includes(id))) return
  if (after.length === 0 || after.length > 10) throw refused('the groups leave no role, or more than ten')
  const gained = roles.filter(({ id }) => !before.includes(id))
  assertCanGrantRoles({ permissions: activator.permissions, operator: false }, gained)
  const { clock, auth } = services.kernel
  await keepingAdministrators(tx, clock.now(), () =>
    setRoles(tx, { userId: subject.id, roleIds: after, by: connection.activated_by, at: clock.iso(), source: 'sso' }),
  )
  await auth.rightsChanged(tx, subject.id)
  await tx.audit('iam.user.change', {
    target: `user:${subject.id}`,
    before: { role_ids: before },
    after: { role_ids: after },
    reason: 'groups at the identity provider',
  })
  await tx.emit(userRoleChanged, `user/${subject.id}`, { user_id: subject.id, actor_id: null, before, after })
}
