import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Factor, UserMfa } from '../schemas/mfa.ts'
import { subjectOf, subjectStatement } from '../subjects.ts'
import { settingsOf } from '../tenant-settings.ts'
import { type FactorKind, isDemanded } from './requirement.ts'
import { factors } from './tables.ts'

interface MfaRow {
  readonly id: string
  readonly mfa_deadline: string | null
  readonly methods: readonly FactorKind[]
}

const none: UserMfa = { enrolled: false, methods: [], required: false, deadline: null }

/** Second factors of several users at once, and whether they need one, as their resources show it. */
export async function mfaOfUsers(tx: Tx, userIds: readonly string[]): Promise<(userId: string) => UserMfa> {
  const [settings, subjects, rows] = await Promise.all([
    settingsOf(tx, tx.tenantId),
    tx.query(subjectStatement(sql`u.id = any(${userIds}::uuid[])`)),
    tx.query(sql<MfaRow>`
      select u.id, u.mfa_deadline,
        (select coalesce(jsonb_agg(distinct f.kind), '[]') from iam_factor f
          where f.tenant_id = u.tenant_id and f.user_id = u.id and f.status = 'active') as methods
      from iam_user u
      where u.id = any(${userIds}::uuid[])`),
  ])
  const demanded = new Set(
    subjects
      .filter((row) => row.type === 'human' && isDemanded(settings, subjectOf(row, 0).permissions))
      .map(({ id }) => id),
  )
  const byUser = new Map(rows.map((row) => [row.id, row]))
  return (userId) => {
    const row = byUser.get(userId)
    if (row === undefined) return none
    const enrolled = row.methods.length > 0
    const required = demanded.has(userId)
    return { enrolled, methods: [...row.methods], required, deadline: required && !enrolled ? row.mfa_deadline : null }
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
