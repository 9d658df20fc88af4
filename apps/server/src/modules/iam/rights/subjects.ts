/**
 * Current rights of a person or service account: roles, permissions, whether the account is active. Every check of
 * rights, by request or by rule, starts here. It caches nothing; the kernel does. Tested in ../users/users.test.ts.
 */
import type { BuiltinRoleName } from '../../../kernel/access/actor.ts'
import { noPermissions, type PermissionSet, permissionSet, union } from '../../../kernel/access/permissions.ts'
import type { SubjectRights } from '../../../kernel/auth/port.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { agentScopes } from '../schemas/agent-scopes.ts'
import type { UserStatus, UserType } from '../schemas/user-states.ts'
import { roleSet } from './builtin-roles.ts'
import { aboveOf, effectiveTenantStatus, type TenantAboveRow, tenantsAbove } from './tenants-above.ts'

/** Permissions of every agent: call models and tools, and report its activity. Roles add none. */
const agentPermissions = permissionSet(agentScopes)

export interface GrantedRole {
  readonly id: string
  readonly name: string
  readonly builtin: BuiltinRoleName | null
  readonly permissions: readonly string[]
}

export interface SubjectRow {
  readonly id: string
  readonly type: UserType
  readonly is_agent: boolean
  readonly status: UserStatus
  readonly expires_at: string | null
  readonly must_change_password: boolean
  readonly tenant_status: SubjectRights['tenantStatus']
  readonly tenant_requests_per_minute: number | null
  readonly tenants_above: readonly TenantAboveRow[]
  readonly active_since: string | null
  readonly credentials_set_by: string | null
  readonly credentials_set_at: string | null
  readonly roles: readonly GrantedRole[]
}

export interface Subject extends SubjectRow {
  readonly active: boolean
  readonly primaryRole: string
  /** All that the roles give, whether or not the account can use it now. */
  readonly permissions: PermissionSet
  readonly operator: boolean
}

/** One row per account with the inputs of `subjectOf`, for accounts that meet the condition on `u`. */
export function subjectStatement(condition: SqlPart): SqlPart<SubjectRow> {
  return sql<SubjectRow>`
    select u.id, u.type, u.is_agent, u.status, u.expires_at, u.must_change_password, u.active_since, u.credentials_set_by, u.credentials_set_at, ${effectiveTenantStatus} as tenant_status,
      (t.quotas ->> 'requests_per_minute')::int as tenant_requests_per_minute,
      ${tenantsAbove} as tenants_above,
      coalesce((
        select jsonb_agg(
          jsonb_build_object('id', r.id, 'name', r.name, 'builtin', r.builtin, 'permissions', to_jsonb(r.permissions))
          order by g.position)
        from iam_user_role g
        join iam_role r on r.tenant_id = g.tenant_id and r.id = g.role_id
        where g.tenant_id = u.tenant_id and g.user_id = u.id
      ), '[]'::jsonb) as roles
    from iam_user u
    join iam_tenant t on t.id = u.tenant_id
    where ${condition}`
}

export function subjectOf(row: SubjectRow, nowMs: number): Subject {
  const expired = row.expires_at !== null && Date.parse(row.expires_at) <= nowMs
  return {
    ...row,
    active: row.status === 'active' && !expired,
    primaryRole: row.roles[0]?.name ?? 'none',
    permissions: row.is_agent ? agentPermissions : rolesSet(row.roles),
    operator: row.roles.some((role) => role.builtin === 'super_admin'),
  }
}

export function rolesSet(roles: readonly Pick<GrantedRole, 'builtin' | 'permissions'>[]): PermissionSet {
  return roles.map(roleSet).reduce(union, permissionSet([]))
}

export async function findSubject(tx: Pick<Tx, 'first'>, userId: string, nowMs: number): Promise<Subject | null> {
  const row = await tx.first(subjectStatement(sql`u.id = ${userId}`))
  return row === null ? null : subjectOf(row, nowMs)
}

/** Rights of a request: none until a password set by another person has been changed. */
export function rightsOf(subject: Subject): SubjectRights {
  return {
    active: subject.active,
    ...(subject.type === 'service' && { isService: true }),
    ...(subject.is_agent && { isAgent: true }),
    role: subject.primaryRole,
    roles: subject.roles.map((role) => role.name),
    permissions: subject.must_change_password ? noPermissions : subject.permissions,
    operator: subject.operator && !subject.must_change_password,
    origin: originOf(subject),
    tenantStatus: subject.tenant_status,
    tenantRequestsPerMinute: subject.tenant_requests_per_minute,
    ...(subject.tenants_above.length > 0 && { tenantsAbove: aboveOf(subject.tenants_above) }),
  }
}

export function originOf(row: Pick<SubjectRow, 'active_since' | 'credentials_set_by' | 'credentials_set_at'>) {
  const { active_since: since, credentials_set_by: by, credentials_set_at: at } = row
  return {
    // An account that was never active cannot be a second person.
    activeSinceMs: since === null ? Number.POSITIVE_INFINITY : Date.parse(since),
    credentialsSet: by === null || at === null ? null : { by, atMs: Date.parse(at) },
  }
}
