import type { Tx } from '../../../kernel/db/port.ts'
import { isLastAdministrator } from '../administrators.ts'
import type { IamServices } from '../services.ts'
import { users } from '../tables.ts'
import { moveUser } from '../user-status.ts'

/**
 * Locks an account after too many failures in a row. The last active administrator is never locked, or strangers could
 * close an installation for good; the waits between tries go on for that account as for any.
 */
export async function lockAccount(services: IamServices, tx: Tx, userId: string): Promise<void> {
  const user = await users.needForUpdate(tx, userId)
  if (user.status !== 'active' || (await isLastAdministrator(tx, userId, services.kernel.clock.now()))) return
  await moveUser(services, tx, { user, to: 'locked', mover: 'guard', by: null, reason: 'failed_logins' })
  await tx.audit('iam.user.lock', {
    target: `user:${userId}`,
    before: { status: user.status },
    after: { status: 'locked' },
  })
}
