import { notHeld } from '../../kernel/data-registry/holds.ts'
import { sql } from '../../kernel/db/sql.ts'
import type { JobDeclaration } from '../../kernel/module/module.ts'
import { dormancyJobs } from './dormancy/dormant.ts'
import { erasureJobs } from './erasure/jobs.ts'
import { mailJobs } from './mail/jobs.ts'
import { postureJobs } from './posture/measure.ts'
import { resetJobs } from './reset/forgot.ts'
import { reviewJobs } from './reviews/close.ts'
import { roundJobs } from './reviews/rounds.ts'
import type { IamServices } from './services/iam-services.ts'
import { signalJobs } from './signals/push.ts'
import { ssoJobs } from './sso/connections/jobs.ts'
import { apiKeyDays } from './tables/api-keys.ts'
import { sessions } from './tables/sessions.ts'
import { deletionJobs } from './tenant-life/deletion.ts'
import { exportJobs } from './tenant-life/export.ts'
import { endExpiredAccounts, someAccountsOver } from './users/changes.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** Deactivates accounts and invitations that have run out. */
const endExpired: JobDeclaration<IamServices> = {
  kind: 'iam.end_expired',
  maxAttempts: 5,
  leaseMs: minuteMs,
  everyMs: 5 * minuteMs,
  due: someAccountsOver,
  run: async ({ tenantId, services, signal }) => {
    let ended: number
    do {
      ended = await services.kernel.db.tenant({ tenantId }, (tx) => endExpiredAccounts(services, tx))
    } while (ended > 0 && !signal.aborted)
  },
}

/** Removes sessions and counts past their retention, and sign-in guards unused for a day. */
const forgetOld: JobDeclaration<IamServices> = {
  kind: 'iam.forget_old',
  maxAttempts: 5,
  leaseMs: minuteMs,
  everyMs: 6 * 60 * minuteMs,
  run: async ({ tenantId, services }) => {
    const now = services.kernel.clock.now()
    const before = (days: number): string => new Date(now - days * dayMs).toISOString()
    await services.kernel.db.tenant({ tenantId }, async (tx) => {
      await tx.execute(sql`delete from iam_session where expires_at < ${before(90)} and ${notHeld(sessions)}`)
      await tx.execute(sql`delete from iam_used_challenge where expires_at < ${before(0)}`)
      await tx.execute(sql`
        delete from iam_api_key_day where day < ${before(90).slice(0, 10)} and ${notHeld(apiKeyDays)}`)
      await tx.execute(sql`
        delete from iam_login_guard
        where updated_at < ${before(90)} or (updated_at < ${before(1)} and consecutive = 0)`)
    })
  },
}

export const iamJobs = [
  ...deletionJobs,
  ...exportJobs,
  ...reviewJobs,
  ...roundJobs,
  endExpired,
  ...dormancyJobs,
  ...signalJobs,
  ...postureJobs,
  forgetOld,
  ...mailJobs,
  ...erasureJobs,
  ...resetJobs,
  ...ssoJobs,
]
