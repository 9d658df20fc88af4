/**
 * Writes imported people: some hundred accounts a statement, and of each its place in the directory, its roles, an audit
 * entry, an event and an invitation where it needs one. Tested in import.test.ts.
 */
import type { Actor } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { insertMany, insertRows } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { noteCredentialSetter } from '../accounts/credential-setter.ts'
import { userActivated, userDeactivated, userInvited } from '../accounts/events.ts'
import { directoryDigest } from '../directory/directory.ts'
import { errors } from '../errors/errors.ts'
import { invitationLifeMs } from '../invitations/invitations.ts'
import { mailLink } from '../mail/jobs.ts'
import type { IamServices } from '../services/iam-services.ts'
import { directory } from '../tables/directory.ts'
import { userRoles } from '../tables/roles.ts'
import { users } from '../tables/users.ts'
import type { Judged } from './judge.ts'
import type { ImportUsers } from './schema.ts'

const chunk = 250
const tokenBytes = 32

export interface Writing {
  readonly importId: string
  readonly actor: Actor
  readonly delivery: NonNullable<ImportUsers['delivery']>
}

/** An account that an import makes. */
export interface MadePerson {
  readonly id: string
  readonly status: 'invited' | 'active' | 'deactivated'
  /** Token of an invitation that is not mailed. */
  readonly token: string | null
}

interface Made extends MadePerson {
  readonly judged: Judged
  readonly key: string
}

/** A disabled account stays disabled, even if it comes with a password. */
export function statusOf(judged: Judged, delivery: Writing['delivery']): MadePerson['status'] {
  const { enabled, passwordHash } = judged.person
  if (!enabled) return 'deactivated'
  return passwordHash !== null || delivery === 'none' ? 'active' : 'invited'
}

/** Makes the accounts of all that are to be made. @throws IAM-001 when an address was taken in the meantime */
export async function writePeople(
  services: IamServices,
  tx: Tx,
  ask: Writing & { readonly judged: readonly Judged[] },
): Promise<ReadonlyMap<Judged, MadePerson>> {
  const written = new Map<Judged, MadePerson>()
  const all = ask.judged.filter(({ outcome }) => outcome === 'created')
  for (let at = 0; at < all.length; at += chunk) {
    const made = all.slice(at, at + chunk).map((judged) => makeOne(services, judged, ask))
    await insertUsers(services, tx, { made, ask })
    await insertDirectory(services, tx, made)
    await noteSetter(services, tx, { made, ask })
    await insertRoles(services, tx, { made, ask })
    await tell(services, tx, { made, ask })
    for (const one of made) written.set(one.judged, one)
  }
  return written
}

function makeOne({ kernel }: IamServices, judged: Judged, { delivery }: Writing): Made {
  const status = statusOf(judged, delivery)
  const linked = status === 'invited' && !kernel.mail.configured
  const token = linked ? Buffer.from(kernel.random.bytes(tokenBytes)).toString('base64url') : null
  return { id: kernel.random.uuid(), status, token, judged, key: judged.key ?? '' }
}

interface Chunk {
  readonly made: readonly Made[]
  readonly ask: Writing
}

/** Fields the document left out. */
const blankFields = {
  ...{ email: null, display_name: null, locale: null, time_zone: null, department: null, expires_at: null },
}

async function insertUsers({ kernel }: IamServices, tx: Tx, { made, ask }: Chunk): Promise<void> {
  const at = kernel.clock.iso()
  const expires = new Date(kernel.clock.now() + invitationLifeMs).toISOString()
  const rows = made.map(({ id, status, key, judged: { person } }) => ({
    ...blankFields,
    ...person.fields,
    id,
    type: 'human',
    email_key: key,
    status,
    password_hash: person.passwordHash,
    password_changed_at: person.passwordHash === null ? null : (person.passwordSetAt ?? at),
    must_change_password: person.passwordHash !== null && person.mustChangePassword,
    invited_by: ask.actor.userId,
    invited_by_tenant: ask.actor.homeTenantId,
    invitation_expires_at: status === 'invited' ? expires : null,
    created_at: at,
    updated_at: at,
  }))
  const added = await tx.execute(sql`${insertRows(users, rows)} on conflict (tenant_id, email_key) do nothing`)
  if (added < made.length) throw errors.emailInUse()
}

/** Records the importer as setter of credentials: they may know imported passwords and receive invitation links. */
async function noteSetter({ kernel }: IamServices, tx: Tx, { made, ask }: Chunk): Promise<void> {
  const known = made.filter(({ token, judged }) => token !== null || judged.person.passwordHash !== null)
  const userIds = known.map(({ id }) => id)
  await noteCredentialSetter(tx, { userIds, by: ask.actor.userId, at: kernel.clock.iso() })
}

async function insertDirectory({ kernel }: IamServices, tx: Tx, made: readonly Made[]): Promise<void> {
  const digest = directoryDigest.bind(null, kernel.platformKeys)
  const home = tx.tenantId
  const entries = made.flatMap(({ id, key, token }) => [
    { kind: 'email' as const, digest: digest('email', key), home, subject: id },
    ...(token === null
      ? []
      : [{ kind: 'invitation' as const, digest: digest('invitation', token), home, subject: id }]),
  ])
  await insertMany(tx, directory, entries)
}

async function insertRoles({ kernel }: IamServices, tx: Tx, { made, ask }: Chunk): Promise<void> {
  const granted = { granted_by: ask.actor.userId, granted_at: kernel.clock.iso() }
  const grants = made.flatMap(({ id, judged }) =>
    judged.roles.map((role, position) => ({ user_id: id, role_id: role.id, position, ...granted })),
  )
  await insertMany(tx, userRoles, grants)
}

/** An entry and an event for each, and the letters to those who are invited by mail. */
async function tell(services: IamServices, tx: Tx, { made, ask }: Chunk): Promise<void> {
  const entries = made.map(({ id, status, judged }) => {
    const { email = null, display_name = null } = judged.person.fields
    const role_ids = judged.roles.map((role) => role.id)
    const after = { status, email, display_name, role_ids, import_id: ask.importId }
    return { target: `user:${id}`, after }
  })
  const happened = (status: MadePerson['status']) =>
    made
      .filter((one) => one.status === status)
      .map(({ id }) => ({ subject: `user/${id}`, data: { user_id: id, actor_id: ask.actor.userId } }))
  const imported = (status: MadePerson['status']) =>
    happened(status).map(({ subject, data }) => ({ subject, data: { ...data, reason: 'imported' } }))
  await tx.auditAll('iam.user.create', entries)
  await tx.emitAll(userInvited, happened('invited'))
  await tx.emitAll(userActivated, imported('active'))
  await tx.emitAll(userDeactivated, imported('deactivated'))
  for (const { id, status } of made)
    if (status === 'invited') await mailLink(services, tx, { letter: 'invitation', userId: id })
}
