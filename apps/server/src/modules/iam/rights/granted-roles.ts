import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { GrantedRole } from './subjects.ts'

/** The named roles in the order asked for. @throws API-001 pointing at one that does not exist */
export async function namedRoles(tx: Tx, roleIds: readonly string[]): Promise<readonly GrantedRole[]> {
  const rows = await tx.query(
    sql<GrantedRole>`select id, name, builtin, permissions from iam_role where id = any(${roleIds}::uuid[])`,
  )
  const found = new Map(rows.map((row) => [row.id, row]))
  return roleIds.map((id, index) => {
    const role = found.get(id)
    if (role === undefined) {
      throw apiErrors
        .validation({ what: 'There is no such role.' })
        .at([{ detail: 'There is no such role.', pointer: `/role_ids/${index}` }])
    }
    return role
  })
}

/** Makes these the user's roles, in this order; grants that stay keep their date and giver. */
export async function setRoles(
  tx: Tx,
  grant: {
    readonly userId: string
    readonly roleIds: readonly string[]
    readonly by: string | null
    readonly at: string
    /** Source of the new ones. */
    readonly source?: 'direct' | 'sso'
  },
): Promise<void> {
  const { userId, roleIds, source = 'direct' } = grant
  await tx.execute(sql`delete from iam_user_role where user_id = ${userId} and role_id <> all(${roleIds}::uuid[])`)
  await tx.execute(sql`
    insert into iam_user_role (user_id, role_id, position, granted_by, granted_at, source)
    select ${userId}::uuid, wanted.id, (wanted.place - 1)::int, ${grant.by}::uuid, ${grant.at}::timestamptz, ${source}
    from unnest(${roleIds}::uuid[]) with ordinality as wanted (id, place)
    on conflict (tenant_id, user_id, role_id) do update set position = excluded.position`)
}

/** Names of the roles of the user `u` of a statement, in their order. */
export const roleNamesOfUser = sql`
  array(
    select r.name from iam_user_role g
    join iam_role r on r.tenant_id = g.tenant_id and r.id = g.role_id
    where g.tenant_id = u.tenant_id and g.user_id = u.id
    order by g.position)`

/** The roles of several users at once, each user's in their order. */
export async function rolesOfUsers(
  tx: Tx,
  userIds: readonly string[],
): Promise<(userId: string) => readonly GrantedRole[]> {
  const rows = await tx.query(sql<GrantedRole & { readonly user_id: string }>`
    select g.user_id, r.id, r.name, r.builtin, r.permissions
    from iam_user_role g
    join iam_role r on r.tenant_id = g.tenant_id and r.id = g.role_id
    where g.user_id = any(${userIds}::uuid[])
    order by g.user_id, g.position`)
  const byUser = new Map<string, GrantedRole[]>(userIds.map((id) => [id, []]))
  for (const { user_id, ...role } of rows) byUser.get(user_id)?.push(role)
  return (userId) => byUser.get(userId) ?? []
}
