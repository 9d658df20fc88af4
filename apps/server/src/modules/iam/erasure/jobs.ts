import type { Tx } from '../../../kernel/db/port.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import type { IamServices } from '../services/iam-services.ts'
import { users } from '../tables/users.ts'
import { eraseAbroad, eraseSubject } from './erase-subject.ts'

const kind = 'iam.user.erase_late'
/** A model call that was under way when its caller was deactivated has written its last row by then. */
const lateMs = 60 * 60_000

/** Does it again where the transaction could not reach: in other tenants' logs now, and for late rows later. */
export async function eraseLate({ kernel }: IamServices, tx: Tx, userId: string): Promise<void> {
  const payload = { user_id: userId }
  await tx.enqueue({ kind, key: `${userId}/now`, payload })
  await tx.enqueue({ kind, key: `${userId}/late`, payload, runAt: kernel.clock.now() + lateMs })
}

const eraseRest: JobDeclaration<IamServices> = {
  kind,
  maxAttempts: 20,
  leaseMs: 5 * 60_000,
  everyMs: null,
  run: async ({ tenantId, services: { kernel }, payload }) => {
    const userId = String(payload.user_id)
    const erased = await kernel.db.tenant({ tenantId }, async (tx) => {
      if ((await users.get(tx, userId))?.status !== 'erased') return false
      await eraseSubject(tx, kernel.tables, userId)
      return true
    })
    if (!erased) return
    await eraseAbroad(kernel.db, userId)
    await kernel.backups.noteErasure({ tenantId, userId })
  },
}

export const erasureJobs = [eraseRest]
