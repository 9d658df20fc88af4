import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { type GrantedRole, rolesSet } from '../rights/subjects.ts'
import type { FactorKind } from '../schemas/factor-kinds.ts'
import type { Factor, UserMfa } from '../schemas/mfa.ts'
import type { UserType } from '../schemas/user-states.ts'
import { settingsOf } from '../settings/tenant-settings.ts'
import { isDemanded } from './requirement.ts'
import { factors } from './tables.ts'

/** The fields of a user that decide whether they need a second factor, and until when they may go without. */
export interface MfaSubject {
  readonly id: string
  readonly type: UserType
  readonly mfa_deadline: string | null
  readonly roles: readonly GrantedRole[]
}

/** Second factors of several users at once, and whether they need one, as their resources show it. */
export async function mfaOfUsers(tx: Tx, userIds: readonly string[]): Promise<(user: MfaSubject) => UserMfa> {
  const [settings, kinds] = await Promise.all([
    settingsOf(tx, tx.tenantId),
    tx.query(sql<{ user_id: string; kind: FactorKind }>`
      select distinct user_id, kind from iam_factor
      where user_id = any(${userIds}::uuid[]) and status = 'active'
      order by user_id, kind`),
  ])
  const byUser = new Map<string, FactorKind[]>()
  for (const { user_id, kind } of kinds) byUser.set(user_id, [...(byUser.get(user_id) ?? []), kind])
  return ({ id, type, mfa_deadline, roles }) => {
    const methods = byUser.get(id) ?? []
    const enrolled = methods.length > 0
    const required = type === 'human' && isDemanded(settings, rolesSet(roles))
    return { enrolled, methods, required, deadline: required && !enrolled ? mfa_deadline : null }
  }
}

/** The active factors of one user, the oldest first. */
export async function factorsOf(tx: Tx, userId: string): Promise<readonly Factor[]> {
  const rows = await tx.query(sql<Factor & { readonly synced: boolean | null }>`
    select id, kind, name, synced, created_at, last_used_at from ${factors.from}
    where user_id = ${userId} and status = 'active'
    order by created_at, id`)
  return rows
}
