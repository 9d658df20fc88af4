import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { isLastAdministrator } from '../administrators.ts'
import type { IamServices } from '../services.ts'
import { users } from '../tables.ts'
import { moveUser } from '../user-status.ts'
import { lockAfter } from './guessing.ts'

/**
 * Counts a failed sign-in of an account and locks it after too many in a row. The last active administrator is never
 * locked, or strangers could close an installation for good; the waits between tries go on for that account as for any.
 */
export async function countAccountFailure(services: IamServices, tx: Tx, userId: string): Promise<void> {
  const counted = await tx.first(sql<{ failed_logins: number; status: string }>`
    update iam_user set failed_logins = failed_logins + 1
    where id = ${userId}
    returning failed_logins, status`)
  if (counted === null || counted.status !== 'active' || counted.failed_logins < lockAfter) return
  if (await isLastAdministrator(tx, userId, services.kernel.clock.now())) return
  const user = await users.needForUpdate(tx, userId)
  await moveUser(services, tx, { user, to: 'locked', mover: 'guard', by: null, reason: 'failed_logins' })
  await tx.audit('iam.user.lock', {
    target: `user:${userId}`,
    before: { status: user.status },
    after: { status: 'locked' },
  })
}
