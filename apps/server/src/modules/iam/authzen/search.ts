/**
 * Searches of the OpenID AuthZEN Authorization API 1.0 (section 8): permitted actions of a subject, and subjects
 * permitted an action. They use the same roles, scopes and states as decisions do, so every result is also decided as
 * allowed. Resources are not searched: a permission applies to a module and to any resource the caller assigns to it.
 * Tested in search.test.ts.
 */
import { actions, allPermissions, holds, type Permission, permissionSet } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { uuidPattern } from '../directory/tenant-id.ts'
import { explainer } from '../explain/explain.ts'
import { roleSet } from '../rights/builtin-roles.ts'
import type { GrantedRole } from '../rights/subjects.ts'
import { permissionOf } from './evaluate.ts'
import type { ActionSearch, FoundActions, FoundSubjects, SubjectSearch } from './schema.ts'

type Clocked = Pick<Kernel, 'clock' | 'platformKeys'>

/** Action names valid for a resource type: the three levels for a module, whole permissions for anything else. */
function namesFor(resourceType: string): readonly (readonly [name: string, permission: Permission])[] {
  const levels = actions.flatMap((action) => {
    const permission = permissionOf(action, resourceType)
    return permission === null ? [] : [[action, permission] as const]
  })
  return levels.length > 0 ? levels : allPermissions.map((permission) => [permission, permission] as const)
}

export async function searchActions(tx: Tx, { subject, resource }: ActionSearch, nowMs: number): Promise<FoundActions> {
  const { type, id } = subject
  const isKnownKind = (type === 'user' || type === 'api_key') && uuidPattern.test(id)
  const explain = isKnownKind ? await explainer(tx, { kind: type, id: id.toLowerCase() }, nowMs) : null
  const results =
    explain === null ? [] : namesFor(resource.type).filter(([, permission]) => explain(permission).granted)
  await tx.audit('iam.access.search', {
    target: `${type.slice(0, 40)}:${isKnownKind ? id.toLowerCase() : 'unknown'}`,
    after: { resource: resource.type, found: results.length },
  })
  return { results: results.map(([name]) => ({ name })), page: { next_token: '', count: results.length } }
}

const usualPage = 100

/** @throws API-003 for a token of another search */
export async function searchSubjects(tx: Tx, asked: SubjectSearch, kernel: Clocked): Promise<FoundSubjects> {
  const { subject, action, resource, page } = asked
  const permission = permissionOf(action.name, resource.type)
  const scope = [tx.tenantId, subject.type, permission ?? '']
  const token = page?.token ?? page?.next_token ?? ''
  const after = token === '' ? null : openToken(kernel, scope, token)
  const limit = page?.limit ?? usualPage
  const statement = permission === null ? null : await candidates(tx, { type: subject.type, permission, kernel })
  const rows = statement === null ? [] : await tx.query(pageOf(statement, after, limit))
  const found = rows.slice(0, limit)
  const last = rows.length > limit ? found.at(-1) : undefined
  await tx.audit('iam.access.search', {
    target: `permission:${permission ?? 'unknown'}`,
    after: { subject: subject.type, found: found.length },
  })
  return {
    results: found.map(({ id }) => ({ type: subject.type, id })),
    page: {
      next_token: last === undefined ? '' : `${last.id}.${macOf(kernel, scope, last.id)}`,
      count: found.length,
    },
  }
}

/** One more than asked for, so that it is known whether there are more. */
function pageOf(found: SqlPart, after: string | null, limit: number) {
  return sql<{ id: string }>`
    select id from (${found}) as found
    where ${after}::uuid is null or id > ${after}::uuid
    order by id limit ${limit + 1}`
}

interface Wanted {
  readonly type: string
  readonly permission: Permission
  readonly kernel: Pick<Kernel, 'clock'>
}

/** Subjects that meet every condition `explain` checks; null for types that have no subjects here. */
async function candidates(tx: Tx, { type, permission, kernel }: Wanted): Promise<SqlPart | null> {
  if (type !== 'user' && type !== 'api_key') return null
  const now = kernel.clock.iso()
  const roles = await tx.query(sql<GrantedRole>`select id, name, builtin, permissions from iam_role`)
  const giving = roles.filter((role) => holds(roleSet(role), permission)).map(({ id }) => id)
  const people = sql`
    select u.id from iam_user u
    where u.status = 'active' and (u.expires_at is null or u.expires_at > ${now}) and not u.must_change_password
      and exists (
        select from iam_user_role g
        where g.tenant_id = u.tenant_id and g.user_id = u.id and g.role_id = any(${giving}::uuid[]))`
  if (type === 'user') return people
  const scopes = allPermissions.filter((scope) => holds(permissionSet([scope]), permission))
  return sql`
    select k.id from iam_api_key k
    where k.revoked_at is null and k.expires_at > ${now} and k.scopes && ${scopes}::text[]
      and k.owner_id in (${people})`
}

function openToken(kernel: Pick<Kernel, 'platformKeys'>, scope: readonly string[], token: string): string {
  const [id = '', mac = ''] = token.split('.')
  if (!uuidPattern.test(id) || mac !== macOf(kernel, scope, id)) throw apiErrors.badCursor()
  return id
}

function macOf({ platformKeys }: Pick<Kernel, 'platformKeys'>, scope: readonly string[], id: string): string {
  return platformKeys.mac('authzen-page', JSON.stringify([...scope, id]))
}
