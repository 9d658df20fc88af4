/** The access people have in a tenant, and the people with more rights than the caller. Tested in reviews.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { apiErrors } from '../../../kernel/errors/errors.ts'
import { assertDominates, dominates, type Grantor } from '../rights/escalation.ts'
import { type Subject, subjectOf, subjectStatement } from '../rights/subjects.ts'
import type { IamServices } from '../services/iam-services.ts'
import type { ReviewScope } from './schema.ts'

export const mostItems = 10_000

export interface Access {
  readonly user_id: string
  /** Null where there is none who could decide now. */
  readonly manager_id: string | null
  readonly role_id: string | null
  /** As the manager. */
  readonly role_owner_id: string | null
  readonly key_id: string | null
  readonly name: string
  readonly granted_at: string
  readonly granted_by: string | null
  readonly last_used_at: string | null
  readonly live: boolean
}

function people({ user_filter: filter = {} }: ReviewScope): SqlPart {
  const where: SqlPart[] = [sql`u.status not in ('deactivated', 'erased')`]
  if (filter.status !== undefined) where.push(sql`u.status = ${filter.status}`)
  if (filter.department !== undefined) where.push(sql`u.department = ${filter.department}`)
  if (filter.managed_by !== undefined) where.push(sql`u.managed_by = ${filter.managed_by}`)
  return join(where, ' and ')
}

/** Only active managers review; a manager who has left does not. */
const activeManager = sql`
  left join iam_user manager
    on manager.tenant_id = u.tenant_id and manager.id = u.manager_id and manager.status = 'active'`

function grants(tx: Tx, scope: ReviewScope): Promise<readonly Access[]> {
  const roles = scope.role_ids === undefined ? sql`true` : sql`g.role_id = any(${scope.role_ids}::uuid[])`
  return tx.query(sql<Access>`
    select u.id as user_id, manager.id as manager_id, g.role_id, owner.id as role_owner_id, null as key_id, r.name, g.granted_at, g.granted_by,
      greatest(u.last_active_at, u.last_login_at) as last_used_at, u.status = 'active' as live
    from iam_user_role g
    join iam_user u on u.tenant_id = g.tenant_id and u.id = g.user_id
    join iam_role r on r.tenant_id = g.tenant_id and r.id = g.role_id
    left join iam_user owner on owner.tenant_id = r.tenant_id and owner.id = r.owner_id and owner.status = 'active'
    ${activeManager}
    where ${people(scope)} and ${roles}
    order by u.id, g.position
    limit ${mostItems + 1}`)
}

function keys(tx: Tx, scope: ReviewScope, now: string): Promise<readonly Access[]> {
  return tx.query(sql<Access>`
    select u.id as user_id, manager.id as manager_id, null as role_id, null as role_owner_id, k.id as key_id, k.name, k.created_at as granted_at,
      k.created_by as granted_by, k.last_used_at, k.expires_at > ${now} as live
    from iam_api_key k
    join iam_user u on u.tenant_id = k.tenant_id and u.id = k.owner_id
    ${activeManager}
    where ${people(scope)} and k.revoked_at is null
    order by u.id, k.id
    limit ${mostItems + 1}`)
}

/** @throws API-001 for too much, IAM-003 for access of a person with more rights than the opener */
export async function accessBelow(
  { kernel: { clock } }: IamServices,
  tx: Tx,
  { opener, scope }: { readonly opener: Grantor; readonly scope: ReviewScope },
): Promise<readonly Access[]> {
  const found = await accessIn(tx, scope, clock.iso())
  if (found.length > mostItems) throw invalid(`A review has at most ${mostItems} items; narrow its scope.`, '/scope')
  const [above] = await allAbove(tx, opener, { found, nowMs: clock.now() })
  if (above !== undefined) assertDominates(opener, above)
  return found
}

export interface Found {
  readonly found: readonly Pick<Access, 'user_id'>[]
  readonly nowMs: number
}

/** Those among the people whose rights are not within the opener's. */
export async function allAbove(tx: Tx, opener: Grantor, { found, nowMs }: Found): Promise<readonly Subject[]> {
  const userIds = [...new Set(found.map(({ user_id }) => user_id))]
  const rows = await tx.query(subjectStatement(sql`u.id = any(${userIds}::uuid[])`))
  return rows.map((row) => subjectOf(row, nowMs)).filter((subject) => !dominates(opener, subject))
}

export async function accessIn(tx: Tx, scope: ReviewScope, now: string): Promise<readonly Access[]> {
  return [...(await grants(tx, scope)), ...(scope.include_api_keys === true ? await keys(tx, scope, now) : [])]
}

export function invalid(detail: string, pointer: string) {
  return apiErrors.validation({ what: detail }).at([{ detail, pointer }])
}
