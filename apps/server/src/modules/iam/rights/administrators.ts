/**
 * Keeps a tenant from losing its last active administrator, and the platform its last operator. Changes that could are
 * made one after the other. It does not decide who may make them. Tested in ../users/users.test.ts.
 */
import { allPermissions, holds, type Permission, permissionSet } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { errors } from '../errors/errors.ts'
import { builtinRoles } from './builtin-roles.ts'
import { type Subject, subjectOf, subjectStatement } from './subjects.ts'

/** People (not service accounts) who are active and whose roles give the permission. */
export async function activeHolders(tx: Tx, permission: Permission, nowMs: number): Promise<readonly Subject[]> {
  const names = Object.entries(builtinRoles)
    .filter(([, role]) => givesAny(role.permissions, permission))
    .map(([name]) => name)
  const rows = await tx.query(
    subjectStatement(sql`
      u.status = 'active' and u.type = 'human' and exists (
        select 1
        from iam_user_role held
        join iam_role giving on giving.tenant_id = held.tenant_id and giving.id = held.role_id
        where held.tenant_id = u.tenant_id and held.user_id = u.id
          and (giving.builtin = any(${names}::text[]) or giving.permissions && ${impliedBy(permission)}::text[])
      )`),
  )
  return rows.map((row) => subjectOf(row, nowMs)).filter((subject) => subject.active)
}

function givesAny(permissions: readonly string[], permission: Permission): boolean {
  return holds(permissionSet(permissions), permission)
}

/** The permissions that give this one. */
function impliedBy(permission: Permission): readonly Permission[] {
  return allPermissions.filter((candidate) => givesAny([candidate], permission))
}

/**
 * Runs a change and refuses it if it removes the tenant's last administrator or last operator.
 * @throws IAM-005
 */
export async function keepingAdministrators<T>(tx: Tx, nowMs: number, change: () => Promise<T>): Promise<T> {
  await tx.lock('iam.administrators', tx.tenantId)
  const before = await countAdministrators(tx, nowMs)
  const result = await change()
  const after = await countAdministrators(tx, nowMs)
  if ((before.administrators > 0 && after.administrators === 0) || (before.operators > 0 && after.operators === 0)) {
    throw errors.lastAdministrator()
  }
  return result
}

/** Whether this is the only person who administers the tenant, or operates the platform from it. */
export async function isLastAdministrator(tx: Tx, userId: string, nowMs: number): Promise<boolean> {
  await tx.lock('iam.administrators', tx.tenantId)
  const holders = await activeHolders(tx, 'iam:admin', nowMs)
  const isOnlyOne = (group: readonly Subject[]): boolean => group.length > 0 && group.every(({ id }) => id === userId)
  return isOnlyOne(holders) || isOnlyOne(holders.filter(({ operator }) => operator))
}

/** Whether the tenant would be without an administrator, or the platform without an operator, if this one were gone. */
export async function isNeededAdministrator(tx: Tx, userId: string, nowMs: number): Promise<boolean> {
  await tx.lock('iam.administrators', tx.tenantId)
  const holders = await activeHolders(tx, 'iam:admin', nowMs)
  const remains = (group: readonly Subject[]): boolean =>
    !group.some(({ id }) => id === userId) || group.some(({ id, expires_at }) => id !== userId && expires_at === null)
  return !(remains(holders) && remains(holders.filter(({ operator }) => operator)))
}

async function countAdministrators(tx: Tx, nowMs: number): Promise<{ administrators: number; operators: number }> {
  // Accounts with an end date do not count: they end one day, and no administrator might be left.
  const holders = (await activeHolders(tx, 'iam:admin', nowMs)).filter(({ expires_at }) => expires_at === null)
  return { administrators: holders.length, operators: holders.filter((subject) => subject.operator).length }
}
