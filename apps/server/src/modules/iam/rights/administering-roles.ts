import { listPermissions } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { type GrantedRole, rolesSet } from './subjects.ts'

/** Ids of the roles that administer anything. */
export async function administeringRoles(tx: Tx): Promise<ReadonlySet<string>> {
  const rows = await tx.query(sql<GrantedRole>`select id, name, builtin, permissions from iam_role`)
  const administers = (role: GrantedRole): boolean =>
    listPermissions(rolesSet([role])).some((permission) => permission.endsWith(':admin'))
  return new Set(rows.filter(administers).map(({ id }) => id))
}
