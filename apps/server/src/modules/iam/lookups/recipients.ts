/**
 * People whom a message is for: active accounts by id, role or permission, with the address and the rights of this moment.
 * Tested in recipients.test.ts.
 */
import type { Permission, PermissionSet } from '../../../kernel/access/permissions.ts'
import { isUuid } from '../../../kernel/base/uuid.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { activeHolders } from '../rights/administrators.ts'
import { type Subject, subjectOf, subjectStatement } from '../rights/subjects.ts'
import { findRoles } from './lookups.ts'

/** Of several criteria, one has to match. */
export interface RecipientCriteria {
  readonly userIds?: readonly string[]
  /** Ids and names. */
  readonly roles?: readonly string[]
  readonly permission?: Permission
}

export interface Recipient {
  readonly id: string
  readonly email: string | null
  readonly permissions: PermissionSet
}

/** Active people of the transaction's tenant, each once, in the order of their ids. */
export async function findRecipients(
  tx: Tx,
  { userIds = [], roles = [], permission }: RecipientCriteria,
  nowMs: number,
): Promise<readonly Recipient[]> {
  const roleIds = roles.length === 0 ? [] : (await findRoles(tx, roles)).map(({ id }) => id)
  const named = [...new Set(userIds)].filter(isUuid)
  const rows =
    named.length + roleIds.length === 0
      ? []
      : await tx.query(
          subjectStatement(sql`
            u.status = 'active' and u.type = 'human' and (u.id = any(${named}::uuid[]) or exists (
              select from iam_user_role held where held.tenant_id = u.tenant_id and held.user_id = u.id
                and held.role_id = any(${roleIds}::uuid[])))`),
        )
  const holders = permission === undefined ? [] : await activeHolders(tx, permission, nowMs)
  const found = new Map<string, Subject>()
  for (const one of [...rows.map((row) => subjectOf(row, nowMs)), ...holders]) if (one.active) found.set(one.id, one)
  const emails = await emailsOf(tx, [...found.keys()])
  return [...found.values()]
    .map(({ id, permissions }) => ({ id, permissions, email: emails.get(id) ?? null }))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
}

async function emailsOf(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query(
    sql<{ id: string; email: string | null }>`select id, email from iam_user where id = any(${[...ids]}::uuid[])`,
  )
  return new Map(rows.map(({ id, email }) => [id, email]))
}
