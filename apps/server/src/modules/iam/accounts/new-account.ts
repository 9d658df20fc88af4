import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { insertStatement } from '../../../kernel/db/table.ts'
import { enter } from '../directory/directory.ts'
import { emailKey } from '../directory/email-address.ts'
import { errors } from '../errors/errors.ts'
import { setRoles } from '../rights/granted-roles.ts'
import type { UserStatus, UserType } from '../schemas/user-states.ts'
import type { IamServices } from '../services/iam-services.ts'
import { users } from '../tables/users.ts'
import type { UserRow } from './status.ts'

export interface NewAccount {
  readonly type: UserType
  /** Default false. */
  readonly isAgent?: boolean
  readonly email: string | null
  readonly status: UserStatus
  readonly roleIds: readonly string[]
  readonly passwordHash: string | null
  readonly mustChangePassword: boolean
  readonly profile: Partial<
    Pick<UserRow, 'display_name' | 'locale' | 'time_zone' | 'department' | 'manager_id' | 'expires_at'>
  >
  readonly by: { readonly userId: string; readonly tenantId: string } | null
  /** Sources that manage the profile and the roles; by default local administrators. */
  readonly from?: { readonly profile: 'local' | 'sso'; readonly roles: 'direct' | 'sso' }
}

/** Adds an account with its roles and its place in the directory. The caller has checked the rights. @throws IAM-001 */
export async function addAccount(services: IamServices, tx: Tx, account: NewAccount): Promise<string> {
  const { random, clock, platformKeys } = services.kernel
  const id = random.uuid()
  const at = clock.iso()
  const key = account.email === null ? null : emailKey(account.email)
  const added = await tx.execute(sql`
    ${insertStatement(users.from, rowOf(account, { id, key, at }))}
    on conflict (tenant_id, email_key) do nothing`)
  if (added === 0) throw errors.emailInUse()
  if (key !== null) await enter(tx, platformKeys, { kind: 'email', value: key, subject: id })
  const { roleIds, by, from = { profile: 'local', roles: 'direct' } } = account
  await setRoles(tx, { userId: id, roleIds, by: by?.userId ?? null, at, source: from.roles })
  return id
}

const firstPasswordLifeMs = 7 * 86_400_000

/** End of a password chosen by another person; after it the password no longer works. */
export function firstPasswordEnds(now: string): string {
  return new Date(Date.parse(now) + firstPasswordLifeMs).toISOString()
}

function rowOf(account: NewAccount, made: { readonly id: string; readonly key: string | null; readonly at: string }) {
  const { display_name, locale, time_zone, department, manager_id, expires_at } = account.profile
  return {
    id: made.id,
    type: account.type,
    is_agent: account.isAgent ?? false,
    email: account.email,
    email_key: made.key,
    display_name: display_name ?? null,
    status: account.status,
    locale: locale ?? null,
    time_zone: time_zone ?? null,
    department: department ?? null,
    manager_id: manager_id ?? null,
    expires_at: expires_at ?? null,
    managed_by: account.from?.profile ?? 'local',
    password_hash: account.passwordHash,
    password_changed_at: account.passwordHash === null ? null : made.at,
    must_change_password: account.mustChangePassword,
    password_expires_at: account.mustChangePassword ? firstPasswordEnds(made.at) : null,
    invited_by: account.by?.userId ?? null,
    invited_by_tenant: account.by?.tenantId ?? null,
    active_since: account.status === 'active' ? made.at : null,
    created_at: made.at,
    updated_at: made.at,
  }
}
