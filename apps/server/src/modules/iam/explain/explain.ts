/**
 * Explains why a person has a permission or lacks it, and the changes that would give it: the one engine behind the
 * permission catalogue and the AuthZEN endpoints. It reads the same roles, scopes and states that requests are judged
 * by, and decides nothing itself. Tested in explain.test.ts.
 */
import { holds, type Permission, type PermissionSet, permissionSet } from '../../../kernel/access/permissions.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { rolePermissions } from '../rights/builtin-roles.ts'
import { findSubject, type GrantedRole, type Subject } from '../rights/subjects.ts'
import type { PermissionEntry } from '../schemas/roles.ts'
import { apiKeys } from '../tables/api-keys.ts'

export interface SubjectName {
  readonly kind: 'user' | 'api_key'
  readonly id: string
}

export type Explanation = Required<Pick<PermissionEntry, 'granted' | 'reason' | 'via' | 'to_grant'>>
export type Explain = (permission: Permission) => Explanation

interface Known {
  readonly subject: Subject
  readonly grants: readonly Grant[]
  /** All roles of the tenant, as candidates to grant. */
  readonly roles: readonly GrantedRole[]
  readonly key: { readonly id: string; readonly lives: boolean; readonly scopes: PermissionSet } | null
}

interface GivingGroup {
  readonly id: string
  readonly name: string
}

interface Grant {
  readonly role_id: string
  readonly granted_at: string
  readonly granted_by: string | null
  readonly source: 'direct' | 'scim' | 'sso'
  readonly groups: readonly GivingGroup[]
}

/** Null when there is no such user or key in the transaction's tenant. */
export async function explainer(tx: Tx, name: SubjectName, nowMs: number): Promise<Explain | null> {
  const known = await read(tx, name, nowMs)
  return known === null ? null : (permission) => explain(known, permission)
}

async function read(tx: Tx, name: SubjectName, nowMs: number): Promise<Known | null> {
  const row = name.kind === 'api_key' ? await apiKeys.get(tx, name.id) : null
  if (name.kind === 'api_key' && row === null) return null
  const subject = await findSubject(tx, row?.owner_id ?? name.id, nowMs)
  if (subject === null) return null
  const grants = await tx.query(
    sql<Grant>`
      select held.role_id, held.granted_at, held.granted_by, held.source,
        case when held.source <> 'scim' then '[]'::jsonb else (
          select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.display_name) order by g.id), '[]'::jsonb)
          from iam_group g
          join iam_group_member m on m.tenant_id = g.tenant_id and m.group_id = g.id
          where g.tenant_id = held.tenant_id and g.role_id = held.role_id and m.user_id = held.user_id
        ) end as groups
      from iam_user_role held where held.user_id = ${subject.id}`,
  )
  const roles = await tx.query(sql<GrantedRole>`select id, name, builtin, permissions from iam_role order by name_key`)
  const key =
    row === null
      ? null
      : {
          id: row.id,
          lives: row.revoked_at === null && Date.parse(row.expires_at) > nowMs,
          scopes: permissionSet(row.scopes),
        }
  return { subject, grants, roles, key }
}

function explain(known: Known, permission: Permission): Explanation {
  const { subject } = known
  const via = subject.roles.flatMap((role) => viaRole(known, role, permission))
  const missing = obstacles(known, permission, via.length > 0)
  return {
    granted: missing.length === 0,
    reason: missing[0]?.reason ?? 'granted',
    via,
    to_grant: missing.flatMap(({ changes }) => changes),
  }
}

type Change = Explanation['to_grant'][number]

interface Obstacle {
  readonly reason: Exclude<Explanation['reason'], 'granted'>
  readonly changes: readonly Change[]
}

/** All obstacles, the first of which is the reported reason. */
function obstacles({ subject, key, roles }: Known, permission: Permission, given: boolean): readonly Obstacle[] {
  const found: Obstacle[] = []
  if (!subject.active) found.push({ reason: 'subject_not_active', changes: [{ change: 'activate_subject' }] })
  if (key?.lives === false) found.push({ reason: 'key_not_active', changes: [{ change: 'replace_key' }] })
  if (subject.must_change_password)
    found.push({ reason: 'password_change_needed', changes: [{ change: 'change_password' }] })
  if (!given) found.push({ reason: 'no_role_grants_it', changes: assignable(roles, permission) })
  if (key !== null && !holds(key.scopes, permission))
    found.push({ reason: 'not_in_key_scopes', changes: [{ change: 'widen_key_scopes', permission }] })
  return found
}

const mostRoles = 5

/** The roles that would give it, those that give least beside it first. */
function assignable(roles: readonly GrantedRole[], permission: Permission): readonly Change[] {
  return roles
    .filter((role) => role.builtin !== 'super_admin' && givenBy(role, permission) !== undefined)
    .map((role) => ({ role, size: permissionsCount(role) }))
    .sort((a, b) => a.size - b.size)
    .slice(0, mostRoles)
    .map(({ role }) => ({ change: 'assign_role' as const, role_id: role.id, role: role.name }))
}

const permissionsCount = (role: GrantedRole): number => rolePermissions(role).length

const givenBy = (role: GrantedRole, permission: Permission): string | undefined =>
  rolePermissions(role).find((own) => holds(permissionSet([own]), permission))

function viaRole({ grants }: Known, role: GrantedRole, permission: Permission): Explanation['via'] {
  const source = givenBy(role, permission)
  const grant = grants.find(({ role_id }) => role_id === role.id)
  if (source === undefined || grant === undefined) return []
  const { granted_at, granted_by, groups } = grant
  const by = { granted_at, granted_by, source: grant.source, groups: [...groups] }
  return [{ role_id: role.id, role: role.name, permission: source, ...by }]
}
