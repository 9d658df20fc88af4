import type { Tx } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import { errors } from '../errors/errors.ts'
import { settingsOf } from '../settings/tenant-settings.ts'
import { maxCodePoints } from './policy.ts'
import { passwordRules } from './rules.ts'

/** Whether signing in to the account asks for a second factor as well. */
export function hasFactor(userId: string): SqlPart {
  return sql`exists (select 1 from iam_factor where user_id = ${userId} and status = 'active')`
}

export interface NewPassword {
  /** A person whose row is locked. */
  readonly userId: string
  readonly hash: string
  readonly needsFactor: boolean
  readonly at: string
}

/**
 * Puts a password that its owner chose in the place of the one before.
 * @throws IAM-002 when it leans on a second factor that has gone in the meantime
 */
export async function writePassword(tx: Tx, { userId, hash, needsFactor, at }: NewPassword): Promise<void> {
  if (needsFactor) {
    const beside = await tx.first(sql<{ there: boolean }>`select ${hasFactor(userId)} as there`)
    if (beside?.there !== true) {
      const { minLength: min_length } = passwordRules(await settingsOf(tx, tx.tenantId), false)
      const refused = { reasons: ['too_short'], min_length, max_length: maxCodePoints }
      throw errors.passwordRefused(refused).withMembers(refused)
    }
  }
  await tx.execute(sql`
    update iam_user
    set password_hash = ${hash}, password_changed_at = ${at}, must_change_password = false, password_expires_at = null,
      password_needs_factor = ${needsFactor}, version = version + 1, updated_at = ${at}
    where id = ${userId}`)
}
