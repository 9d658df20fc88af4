import type { Kernel } from '../../../kernel/kernel.ts'
import { createMinuteReports, type MinuteReports } from '../services/minute-reports.ts'
import { loginFailed } from './events.ts'
import { watchSpraying } from './spraying.ts'

/** Reports failed sign-ins by account, and watches for spraying over the whole tenant. */
export function createFailureReports(kernel: Kernel): MinuteReports {
  return createMinuteReports(kernel, {
    name: 'iam.failure-reports',
    tell: async (tx, userId, { count: attempts }) => {
      await tx.audit('auth.login_failed', { target: `user:${userId}`, after: { attempts }, result: 'refused' })
      await tx.emit(loginFailed, `user/${userId}`, { user_id: userId, attempts })
      await watchSpraying(kernel, tx, { userId, attempts })
    },
  })
}
