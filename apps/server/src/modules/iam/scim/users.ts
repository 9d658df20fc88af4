/**
 * Writes of a directory to people: creation, replacement, patches, removal. A person it deactivates loses sessions and
 * keys in the same transaction; one it removes is no longer shown to it and comes back as the same account. It cannot
 * touch people with more rights than the owner of its key. Tested in scim.test.ts and dialects.test.ts.
 */
import { json, sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { anyVersion, type Precondition } from '../../../kernel/http/answer/etag.ts'
import { type Held, hold, write } from '../../../kernel/resource/resource.ts'
import { userActivated } from '../accounts/events.ts'
import { addAccount } from '../accounts/new-account.ts'
import { moveUser, type UserRow } from '../accounts/status.ts'
import { userResource } from '../accounts/user-resource.ts'
import { enter, leave } from '../directory/directory.ts'
import { emailKey } from '../directory/email-address.ts'
import { errors } from '../errors/errors.ts'
import { assertRoomFor } from '../quotas/quotas.ts'
import { keepingAdministrators } from '../rights/administrators.ts'
import { groupsTopic, syncGroupRoles } from '../rights/group-roles.ts'
import { nameKey } from '../roles/roles.ts'
import { ownsDomainOf } from '../sso/domains.ts'
import { users } from '../tables/users.ts'
import { type AccountFields, accountFields, assertKnownManager } from './account-fields.ts'
import { type Directory, scimPrecondition, touchableSubject } from './caller.ts'
import type { Document } from './match.ts'
import { needPerson, type PersonRow } from './people.ts'
import { scimProblem } from './problems.ts'

/** @throws API-001, IAM-001, IAM-003, IAM-009 */
export async function createPerson(directory: Directory, document: Document): Promise<PersonRow> {
  const { tx, services, now, ownerId } = directory
  const fields = accountFields(document)
  const gone = await takenOut(directory, fields)
  if (gone !== null) return writePerson(directory, await heldPerson(directory, gone, anyVersion), document)
  assertOwnAddress(directory, fields)
  await assertNameFree(directory, fields, null)
  await assertKnownManager(directory, null, fields.profile.manager_id)
  if (fields.active) await assertRoomFor(tx, 'users', now, services.seatLimit(tx.tenantId))
  const by = { userId: ownerId, tenantId: tx.tenantId }
  const status = fields.active ? 'active' : 'deactivated'
  const account = { type: 'human' as const, email: fields.email, status, roleIds: [], passwordHash: null } as const
  const id = await addAccount(services, tx, { ...account, mustChangePassword: false, profile: fields.profile, by })
  await keepDocument(directory, { id, fields, document })
  if (fields.active)
    await tx.emit(userActivated, `user/${id}`, { user_id: id, actor_id: ownerId, reason: 'provisioned' })
  const made = await needPerson(tx, id)
  await tx.audit('iam.scim.user_create', { target: `user:${id}`, after: made.document })
  return made
}

/** The account a directory took out before and now sends again. */
async function takenOut({ tx }: Directory, fields: AccountFields): Promise<string | null> {
  const row = await tx.first(sql<{ id: string }>`
    select s.id from iam_scim_user s
    join iam_user u on u.tenant_id = s.tenant_id and u.id = s.id
    where s.removed_at is not null
      and (s.user_name_key = ${nameKey(fields.userName)} or u.email_key = ${emailKey(fields.email)})
    order by s.id limit 1`)
  return row?.id ?? null
}

function heldPerson({ tx }: Directory, id: string, precondition: Precondition): Promise<Held<UserRow>> {
  // Erased while this waited for the row: nothing of the person may come back.
  const allow = ({ status }: UserRow): void => {
    if (status === 'erased') throw apiErrors.notFound({ what: users.noun })
  }
  return hold(tx, userResource, { id, precondition, allow })
}

export interface PersonChange {
  readonly id: string
  /** Computes the person's new document from the current one. */
  readonly change: (before: Document) => Document
}

/** @throws API-001, API-012, API-013, IAM-001, IAM-003, IAM-005, IAM-009 */
export async function changePerson(directory: Directory, { id, change }: PersonChange): Promise<PersonRow> {
  const { tx } = directory
  // First: a user the directory cannot see is not found, whatever the account is.
  const before = await needPerson(tx, id)
  const held = await heldPerson(directory, id, scimPrecondition(directory))
  return writePerson(directory, held, change(before.document))
}

async function writePerson(directory: Directory, held: Held<UserRow>, document: Document): Promise<PersonRow> {
  const { tx, services } = directory
  const { row } = held
  const { id } = row
  await touchableSubject(directory, id)
  const fields = accountFields(document)
  if (emailKey(fields.email) !== row.email_key) assertOwnAddress(directory, fields)
  await assertNameFree(directory, fields, id)
  await assertKnownManager(directory, id, fields.profile.manager_id)
  const before = await tx.first(sql<{ profile: Document }>`select profile from iam_scim_user where id = ${id}`)
  await writeAccount(directory, held, fields)
  await keepDocument(directory, { id, fields, document })
  await keepingAdministrators(tx, services.kernel.clock.now(), () => followActive(directory, row, fields.active))
  const after = await needPerson(tx, id)
  await tx.audit('iam.scim.user_change', {
    target: `user:${id}`,
    before: { status: row.status, ...(before?.profile ?? { email: row.email, display_name: row.display_name }) },
    after: { status: after.status, ...after.document },
  })
  return after
}

async function writeAccount(directory: Directory, held: Held<UserRow>, fields: AccountFields): Promise<void> {
  const { tx, services } = directory
  const { row } = held
  const key = emailKey(fields.email)
  await write(services.kernel, tx, held, { ...fields.profile, email: fields.email, email_key: key })
  if (key === row.email_key) return
  await leave(tx, 'email', row.id)
  await enter(tx, services.kernel.platformKeys, { kind: 'email', value: key, subject: row.id })
}

/**
 * An administrator's suspension is not a directory's to lift, also not by switching the person off and on, and an
 * invitation is not its to accept; both are left as they are while the directory says active.
 */
async function followActive(directory: Directory, row: UserRow, active: boolean): Promise<void> {
  const { tx, services, ownerId, now } = directory
  const moved = { user: row, mover: 'directory' as const, by: ownerId }
  if (!active && row.status !== 'deactivated')
    await moveUser(services, tx, { ...moved, to: 'deactivated', reason: 'deprovisioned' })
  if (active && row.status === 'deactivated' && !row.was_suspended) {
    await assertRoomFor(tx, 'users', now, services.seatLimit(tx.tenantId))
    await moveUser(services, tx, { ...moved, to: 'active', reason: 'provisioned' })
  }
}

/** The same rule as for sign-in over a connection: its directory speaks for its proven domains. @throws API-001 */
function assertOwnAddress({ connection }: Directory, { email }: AccountFields): void {
  if (connection === null || ownsDomainOf(connection, emailKey(email))) return
  throw scimProblem('invalidValue', 'The address is not in a domain that the connection of this directory has proven.')
}

/** @throws IAM-001 */
async function assertNameFree({ tx }: Directory, fields: AccountFields, own: string | null): Promise<void> {
  const key = nameKey(fields.userName)
  // Two at once could each find the name free.
  await tx.lock('iam.scim.names', tx.tenantId)
  const taken = await tx.first(sql`
    select 1 as found from iam_user u
    left join iam_scim_user s on s.tenant_id = u.tenant_id and s.id = u.id
    where u.id is distinct from ${own}::uuid
      and (s.user_name_key = ${key} or (s.id is null and u.email_key = ${key}) or u.email_key = ${emailKey(fields.email)})
    limit 1`)
  if (taken !== null) throw errors.emailInUse()
}

async function keepDocument(
  { tx }: Directory,
  kept: { readonly id: string; readonly fields: AccountFields; readonly document: Document },
): Promise<void> {
  const { id, fields, document } = kept
  const { id: _id, active: _active, meta: _meta, groups: _groups, schemas: _schemas, ...profile } = document
  await tx.execute(sql`
    insert into iam_scim_user (id, user_name_key, profile)
    values (${id}, ${nameKey(fields.userName)}, ${json(profile)}::jsonb)
    on conflict (tenant_id, id) do update
    set user_name_key = excluded.user_name_key, profile = excluded.profile, removed_at = null`)
  await tx.execute(sql`
    update iam_user set managed_by = 'scim', external_id = ${fields.externalId} where id = ${id}`)
}

/** Takes a person out of the directory's sight: deactivated, out of its groups, kept. @throws API-012, API-013, IAM-003, IAM-005 */
export async function removePerson(directory: Directory, id: string): Promise<void> {
  const { tx, services, ownerId, now, grantor } = directory
  const before = await needPerson(tx, id)
  const { row } = await heldPerson(directory, id, scimPrecondition(directory))
  await touchableSubject(directory, id)
  await keepDocument(directory, { id, fields: accountFields(before.document), document: before.document })
  await tx.execute(sql`update iam_scim_user set removed_at = ${now} where id = ${id}`)
  await keepingAdministrators(tx, services.kernel.clock.now(), async () => {
    if (row.status !== 'deactivated')
      await moveUser(services, tx, {
        user: row,
        to: 'deactivated',
        mover: 'directory',
        by: ownerId,
        reason: 'deprovisioned',
      })
  })
  const left = await tx.execute(sql`delete from iam_group_member where user_id = ${id}`)
  if (left > 0) await tx.announce(groupsTopic, id)
  await syncGroupRoles(services, tx, { userIds: [id], by: { grantor, userId: ownerId } })
  await tx.audit('iam.scim.user_remove', {
    target: `user:${id}`,
    before: before.document,
    after: { status: 'deactivated' },
  })
}
