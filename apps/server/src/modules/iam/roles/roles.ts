/**
 * Roles: the nine built-in ones, which cannot be changed, and a tenant's own. A role never gives more than its author
 * had. Changes and deletions are in role-changes.ts, role holders in ../rights/granted-roles.ts. Tested in
 * roles.test.ts.
 */
import { type Actor, builtinRoleNames } from '../../../kernel/access/actor.ts'
import { isPermission, type Permission, permissionSet } from '../../../kernel/access/permissions.ts'
import { assertFreshSession } from '../../../kernel/auth/fresh.ts'
import { likePrefix } from '../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../kernel/db/table.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { add, newRow, resource } from '../../../kernel/resource/resource.ts'
import { errors } from '../errors/errors.ts'
import { assertActivePerson } from '../rights/active-person.ts'
import { builtinRoles, rolePermissions } from '../rights/builtin-roles.ts'
import { assertCanGrant } from '../rights/escalation.ts'
import { roleChanged } from '../rights/events.ts'
import { followRole } from '../rights/group-roles.ts'
import type { CreateRole, Role, RoleFilter } from '../schemas/roles.ts'
import type { IamServices } from '../services/iam-services.ts'
import { roles } from '../tables/roles.ts'

export type RoleRow = NonNullable<Awaited<ReturnType<typeof roles.get>>>

export const roleResource = resource({
  table: roles,
  kind: 'role',
  unique: { iam_role_name: () => apiErrors.conflict({ what: 'Another role of this tenant has this name.' }) },
})

/** Puts the built-in roles of a new tenant in place. */
export async function seedRoles({ kernel }: IamServices, tx: Tx): Promise<void> {
  const rows = builtinRoleNames.map((name) => {
    const { description } = builtinRoles[name]
    return { ...newRow(kernel, tx), name, name_key: name, description, permissions: [], builtin: name }
  })
  await insertMany(tx, roles, rows)
}

export async function listRoles(
  tx: Tx,
  { filter, page: request }: { readonly filter: RoleFilter; readonly page: PageRequest },
): Promise<Page<Role>> {
  const where: SqlPart[] = [sql`true`]
  if (filter.builtin !== undefined) where.push(filter.builtin ? sql`builtin is not null` : sql`builtin is null`)
  if (filter.q !== undefined) where.push(sql`name_key like ${likePrefix(filter.q)}`)
  const page = await roles.page(tx, request, join(where, ' and '))
  const countOf = await holderCounts(
    tx,
    page.items.map((row) => row.id),
  )
  return { ...page, items: page.items.map((row) => roleView(row, countOf(row.id))) }
}

/** @throws API-013 */
export async function seeRole(tx: Tx, id: string): Promise<Versioned<Role>> {
  const row = await roles.need(tx, id)
  const countOf = await holderCounts(tx, [id])
  return new Versioned(roleView(row, countOf(id)), row.version)
}

type Holders = Role['holders']
const nobody: Holders = { direct: 0, sso: 0, scim: 0 }

/** Number of holders of each role, by source. */
async function holderCounts(tx: Tx, ids: readonly string[]): Promise<(id: string) => Holders> {
  const rows = await tx.query(sql<Holders & { role_id: string }>`
    select role_id, count(*) filter (where source = 'direct')::int as direct,
      count(*) filter (where source = 'sso')::int as sso, count(*) filter (where source = 'scim')::int as scim
    from iam_user_role
    where role_id = any(${ids}::uuid[])
    group by role_id`)
  const counts = new Map(rows.map(({ role_id, ...holders }) => [role_id, holders]))
  return (id) => counts.get(id) ?? nobody
}

function roleView(row: RoleRow, holders: Holders): Role {
  const { id, tenant_id, created_at, updated_at, name, description } = row
  const permissions = [...rolePermissions(row)]
  return {
    id,
    tenant_id,
    created_at,
    updated_at,
    name,
    description,
    permissions,
    builtin: row.builtin !== null,
    assignable_by_scim: row.assignable_by_scim,
    owner_id: row.owner_id,
    user_count: holders.direct + holders.sso + holders.scim,
    holders,
  }
}

/** @throws IAM-008 naming those that are not in the catalogue */
export function knownPermissions(names: readonly string[]): readonly Permission[] {
  const unknown = names.filter((name) => !isPermission(name))
  if (unknown.length > 0) throw errors.unknownPermission({ names: unknown })
  return names.filter(isPermission)
}

/** @throws API-001, API-011, AUTH-009, IAM-003, IAM-008 */
export async function createRole(
  services: IamServices,
  tx: Tx,
  { actor, body }: { readonly actor: Actor; readonly body: CreateRole },
): Promise<Versioned<Role>> {
  assertFreshSession(actor, services.kernel.clock)
  const permissions = knownPermissions(body.permissions)
  assertCanGrant(actor, permissionSet(permissions))
  if (body.owner_id != null) await assertActivePerson(tx, body.owner_id, '/owner_id')
  const row: RoleRow = {
    ...newRow(services.kernel, tx),
    name: body.name,
    name_key: nameKey(body.name),
    description: body.description ?? null,
    permissions: [...permissions],
    builtin: null,
    assignable_by_scim: body.assignable_by_scim ?? false,
    owner_id: body.owner_id ?? null,
  }
  const { id } = row
  await add(tx, roleResource, row)
  await followRole(services, tx, id, { grantor: actor, userId: actor.userId })
  const role = await seeRole(tx, id)
  await tx.audit('iam.role.create', { target: `role:${id}`, after: role.data })
  await tx.emit(roleChanged, `role/${id}`, { role_id: id, change: 'created', actor_id: actor.userId })
  return role
}

export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
