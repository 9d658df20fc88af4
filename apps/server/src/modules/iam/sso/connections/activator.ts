/**
 * A connection can give, and let in, no more than the current rights of the administrator who last activated it:
 * setting up one's own identity provider must not be a way to gain rights. Tested in connections.test.ts.
 */
import type { Actor, TenantId } from '../../../../kernel/access/actor.ts'
import type { Database, Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { assertCanGrantRoles, type Grantor } from '../../rights/escalation.ts'
import { namedRoles } from '../../rights/granted-roles.ts'
import { rightsOf, subjectOf, subjectStatement } from '../../rights/subjects.ts'
import { refused } from '../refusals.ts'
import type { ConnectionRow } from '../tables.ts'

type Activated = Pick<ConnectionRow, 'activated_by' | 'activated_by_tenant'>

/** The activator's rights as they are now; read before the transaction, because it may be another tenant's person. */
export async function activatorOf(db: Database, connection: Activated, nowMs: number): Promise<Grantor> {
  const { activated_by: userId, activated_by_tenant: home } = connection
  if (userId === null || home === null) throw refused('nobody has activated this connection')
  const [row] = await db.read(home as TenantId, subjectStatement(sql`u.id = ${userId}`))
  const subject = row === undefined ? null : subjectOf(row, nowMs)
  if (subject?.active !== true)
    throw refused(
      'the administrator who activated this connection is not active any more; another one has to activate it',
    )
  return rightsOf(subject)
}

type Gives = Pick<ConnectionRow, 'default_role_ids' | 'group_mappings'>

/** Every role the connection can give. */
export function givenRoleIds({ default_role_ids, group_mappings }: Gives): readonly string[] {
  return [...new Set([...default_role_ids, ...group_mappings.flatMap(({ role_ids }) => role_ids)])]
}

/** A person cannot set up roles beyond their own rights, and never platform operation. @throws API-001, IAM-003 */
export async function assertMayGive(tx: Tx, actor: Actor, gives: Gives): Promise<void> {
  const roles = await namedRoles(tx, givenRoleIds(gives))
  assertCanGrantRoles({ permissions: actor.permissions, operator: false }, roles)
}
