import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { Versioned } from '../../../kernel/module/route.ts'
import { factorsOf, mfaOfUsers } from '../mfa/views.ts'
import { rolesOfUsers } from '../rights/granted-roles.ts'
import type { GrantedRole } from '../rights/subjects.ts'
import type { UserMfa } from '../schemas/mfa.ts'
import type { User, UserDetail } from '../schemas/users.ts'
import { users } from '../tables/users.ts'
import type { UserRow } from './status.ts'

/** The resource of a row: its public fields, and the roles. */
export function userView(row: UserRow, roles: readonly GrantedRole[], mfa: UserMfa): User {
  const { email_key, password_hash, version, mfa_deadline, active_since, dormant_warned_at, ...rest } = row
  const { invited_by, invited_by_tenant, invitation_expires_at, password_needs_factor, ...more } = rest
  const { is_agent, was_suspended, credentials_set_by, credentials_set_at, ...shown } = more
  // Nothing else may be left over: a column that is added has to be shown or named above.
  const exactly: Record<Exclude<keyof typeof shown, keyof User>, never> = {}
  return { ...shown, ...exactly, role_ids: roles.map(({ id }) => id), role: roles[0]?.name ?? 'none', mfa }
}

export async function userViews(tx: Tx, rows: readonly UserRow[]): Promise<readonly User[]> {
  const ids = rows.map((row) => row.id)
  const [rolesOf, mfaOf] = await Promise.all([rolesOfUsers(tx, ids), mfaOfUsers(tx, ids)])
  return rows.map((row) => {
    const roles = rolesOf(row.id)
    return userView(row, roles, mfaOf({ ...row, roles }))
  })
}

export interface SeenUser {
  readonly row: UserRow
  readonly view: User
}

/** @throws API-013 */
export async function seeUser(tx: Tx, id: string): Promise<SeenUser> {
  const row = await users.need(tx, id)
  const [rolesOf, mfaOf] = await Promise.all([rolesOfUsers(tx, [id]), mfaOfUsers(tx, [id])])
  const roles = rolesOf(id)
  return { row, view: userView(row, roles, mfaOf({ ...row, roles })) }
}

type Counts = Pick<UserDetail, 'active_sessions' | 'active_api_keys'> & UserDetail['review']

/** @throws API-013 */
export async function seeUserInDetail(tx: Tx, id: string, now: string): Promise<Versioned<UserDetail>> {
  const { row, view } = await seeUser(tx, id)
  const counts = await tx.first(sql<Counts>`
    select
      (select count(*)::int from iam_session
        where user_id = ${id} and status = 'active' and idle_expires_at > ${now} and expires_at > ${now}) as active_sessions,
      (select count(*)::int from iam_api_key
        where owner_id = ${id} and revoked_at is null and expires_at > ${now}) as active_api_keys,
      (select count(*)::int from iam_access_review_item i
        join iam_access_review r on r.tenant_id = i.tenant_id and r.id = i.review_id
        where i.user_id = ${id} and i.decision is null and r.status = 'open') as undecided,
      (select max(decided_at) from iam_access_review_item where user_id = ${id}) as last_decided_at`)
  const factors = await factorsOf(tx, id)
  const { undecided = 0, last_decided_at = null, active_sessions = 0, active_api_keys = 0 } = counts ?? {}
  const review = { undecided, last_decided_at }
  return new Versioned({ ...view, factors: [...factors], active_sessions, active_api_keys, review }, row.version)
}
