import type { TenantId } from '../../../kernel/auth/actor.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Activity } from '../../../kernel/module.ts'
import { loginFailed } from '../events.ts'

const reportEveryMs = 60_000

interface Failures {
  readonly tenantId: TenantId
  attempts: number
}

/**
 * Tells of failed sign-ins once a minute and account, not once an attempt, so that guessing cannot flood the log.
 * Counters that decide anything are in the database; these only report, and a process that dies loses its last minute.
 */
export interface FailureReports extends Activity {
  failed(tenantId: TenantId, userId: string): void
  flush(): Promise<void>
}

export function createFailureReports(kernel: Kernel): FailureReports {
  let accounts = new Map<string, Failures>()
  let timer: { stop(): void } | null = null

  const flush = async (): Promise<void> => {
    const taken = accounts
    accounts = new Map()
    for (const [userId, { tenantId, attempts }] of taken) {
      await kernel.db.tenant({ tenantId }, async (tx) => {
        await tx.audit('auth.login_failed', { target: `user:${userId}`, after: { attempts }, result: 'refused' })
        await tx.emit(loginFailed, `user/${userId}`, { user_id: userId, attempts })
      })
    }
  }

  return {
    name: 'iam.failure-reports',
    failed: (tenantId, userId) => {
      const known = accounts.get(userId) ?? { tenantId, attempts: 0 }
      known.attempts += 1
      accounts.set(userId, known)
    },
    flush,
    start: async () => {
      timer = kernel.clock.every(reportEveryMs, () => kernel.background('iam.failure-reports', flush()))
    },
    stop: async () => {
      timer?.stop()
      await flush()
    },
  }
}
