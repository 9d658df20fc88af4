import type { Tx } from '../../../kernel/db/port.ts'
import { moveUser } from '../accounts/status.ts'
import { isLastAdministrator } from '../rights/administrators.ts'
import type { IamServices } from '../services/iam-services.ts'
import { users } from '../tables/users.ts'

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

/** Unlocks an account for a person who proved more than a stranger's guesses could have. */
export async function unlockAccount(
  services: IamServices,
  tx: Tx,
  ask: { readonly userId: string; readonly how: 'known_device' | 'passkey' },
): Promise<void> {
  const user = await users.needForUpdate(tx, ask.userId)
  if (user.status !== 'locked') return
  await moveUser(services, tx, { user, to: 'active', mover: 'self', by: user.id, reason: ask.how })
  await tx.audit('iam.user.unlock', {
    target: `user:${user.id}`,
    before: { status: user.status },
    after: { status: 'active', how: ask.how },
  })
}
