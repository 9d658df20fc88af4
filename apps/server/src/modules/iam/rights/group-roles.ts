/**
 * Roles granted through groups. A group gives the role of the same name, if that role is marked as assignable by SCIM;
 * no member gains more by it than the person responsible for the change may grant. Direct grants are never touched.
 * Tested in ../scim/scim.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { IamServices } from '../services/iam-services.ts'
import { keepingAdministrators } from './administrators.ts'
import { assertCanGrantRoles, assertDominates, type Grantor } from './escalation.ts'
import { userRoleChanged } from './events.ts'
import { findSubject, type GrantedRole } from './subjects.ts'

/** The person responsible for a change of group roles: the owner of a directory's key, or an administrator. */
export interface Responsible {
  readonly grantor: Grantor
  readonly userId: string
}

export interface RoleSync {
  readonly userIds: readonly string[]
  readonly by: Responsible
}

interface Difference {
  readonly user_id: string
  readonly role_id: string
}

/**
 * Updates the roles of these people to those their groups give now.
 * @throws IAM-003 when that would grant more than the responsible person has, or touch a person who has more; IAM-005
 */
export async function syncGroupRoles(services: IamServices, tx: Tx, { userIds, by }: RoleSync): Promise<void> {
  if (userIds.length === 0) return
  const added = await tx.query(missingGrants(userIds))
  const gone = await tx.query(staleGrants(userIds))
  const touched = [...new Set([...added, ...gone].map(({ user_id }) => user_id))]
  if (touched.length === 0) return
  assertCanGrantRoles(by.grantor, await rolesAmong(tx, added))
  const now = services.kernel.clock.now()
  await keepingAdministrators(tx, now, async () => {
    for (const userId of touched) {
      const subject = await findSubject(tx, userId, now)
      if (subject === null) continue
      assertDominates(by.grantor, subject)
      const before = subject.roles.map(({ id }) => id)
      const lost = gone.filter((one) => one.user_id === userId).map(({ role_id }) => role_id)
      const won = added.filter((one) => one.user_id === userId).map(({ role_id }) => role_id)
      await write(services, tx, { userId, lost, won, by })
      const after = [...before.filter((id) => !lost.includes(id)), ...won]
      await tx.emit(userRoleChanged, `user/${userId}`, { user_id: userId, actor_id: by.userId, before, after })
    }
  })
}

const wanted = (userIds: readonly string[]) => sql`
  select distinct m.user_id, g.role_id
  from iam_group_member m
  join iam_group g on g.tenant_id = m.tenant_id and g.id = m.group_id
  where g.role_id is not null and m.user_id = any(${userIds}::uuid[])`

const missingGrants = (userIds: readonly string[]) => sql<Difference>`
  select user_id, role_id from (${wanted(userIds)}) wanted
  where not exists (
    select from iam_user_role held where held.user_id = wanted.user_id and held.role_id = wanted.role_id)`

const staleGrants = (userIds: readonly string[]) => sql<Difference>`
  select user_id, role_id from iam_user_role
  where source = 'scim' and user_id = any(${userIds}::uuid[])
    and (user_id, role_id) not in (${wanted(userIds)})`

function rolesAmong(tx: Tx, grants: readonly Difference[]): Promise<readonly GrantedRole[]> {
  const ids = [...new Set(grants.map(({ role_id }) => role_id))]
  return tx.query(sql<GrantedRole>`select id, name, builtin, permissions from iam_role where id = any(${ids}::uuid[])`)
}

interface Written {
  readonly userId: string
  readonly lost: readonly string[]
  readonly won: readonly string[]
  readonly by: Responsible
}

async function write({ kernel }: IamServices, tx: Tx, { userId, lost, won, by }: Written): Promise<void> {
  await tx.execute(sql`
    delete from iam_user_role where user_id = ${userId} and source = 'scim' and role_id = any(${lost}::uuid[])`)
  await tx.execute(sql`
    insert into iam_user_role (user_id, role_id, position, granted_by, granted_at, source)
    select ${userId}::uuid, role_id,
      coalesce((select max(position) + 1 from iam_user_role where user_id = ${userId}), 0) + (place - 1)::int,
      ${by.userId}::uuid, ${kernel.clock.iso()}::timestamptz, 'scim'
    from unnest(${won}::uuid[]) with ordinality as won (role_id, place)`)
  await kernel.auth.rightsChanged(tx, userId)
}

/** Announced with the id of the group, or of the person, whose membership changed. */
export const groupsTopic = 'iam.groups'

export async function memberIds(tx: Tx, groupIds: readonly string[]): Promise<readonly string[]> {
  const rows = await tx.query(sql<{ user_id: string }>`
    select distinct user_id from iam_group_member where group_id = any(${groupIds}::uuid[])`)
  return rows.map(({ user_id }) => user_id)
}

/** The role a group of this name gives; null when there is none that directories may assign. */
export async function roleNamed(tx: Tx, key: string): Promise<string | null> {
  const row = await tx.first(sql<{ id: string }>`
    select id from iam_role
    where name_key = ${key} and assignable_by_scim and builtin is distinct from 'super_admin'`)
  return row?.id ?? null
}

/**
 * After a role was made, renamed, marked or unmarked: the group of its name gives it from now on, a former one no longer.
 * A role that directories may assign is offered to them as a group, so that they find it.
 * @throws IAM-003, IAM-005
 */
export async function followRole(services: IamServices, tx: Tx, roleId: string, by: Responsible): Promise<void> {
  const role = await tx.first(sql<{ name: string; name_key: string; assignable: boolean }>`
    select name, name_key, assignable_by_scim as assignable from iam_role where id = ${roleId}`)
  const at = services.kernel.clock.iso()
  const key = role?.assignable === true ? role.name_key : null
  const left = await tx.query(sql<{ id: string }>`
    update iam_group set role_id = null, version = version + 1, updated_at = ${at}
    where role_id = ${roleId} and display_name_key is distinct from ${key}::text
    returning id`)
  const linked =
    role === null || key === null
      ? []
      : await tx.query(sql<{ id: string }>`
          insert into iam_group (id, display_name, display_name_key, role_id, created_at, updated_at)
          values (${services.kernel.random.uuid()}, ${role.name}, ${key}, ${roleId}, ${at}, ${at})
          on conflict (tenant_id, display_name_key) do update
          set role_id = excluded.role_id, version = iam_group.version + 1, updated_at = excluded.updated_at
          where iam_group.role_id is distinct from excluded.role_id
          returning id`)
  const userIds = await memberIds(
    tx,
    [...left, ...linked].map(({ id }) => id),
  )
  await syncGroupRoles(services, tx, { userIds, by })
}
