import { notHeld } from '../../../../kernel/data-registry/holds.ts'
import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { JobDeclaration } from '../../../../kernel/module/module.ts'
import { tellAdministrators } from '../../mail/administrators.ts'
import type { IamServices } from '../../services/iam-services.ts'
import { certificateExpiryWarned } from '../events.ts'
import { ssoFlows } from '../tables.ts'
import { daysLeft } from './views.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const warnedBeforeMs = 30 * dayMs
/** Often enough to be seen, seldom enough to be read. */
const warnedEveryMs = 7 * dayMs

/** Warns of certificates that end within thirty days or have ended; once a week for each connection. */
export async function warnOfCertificates(kernel: Kernel, tx: Tx): Promise<number> {
  const now = kernel.clock.now()
  const at = (offset: number): string => new Date(now + offset).toISOString()
  const due = await tx.query(sql<{ id: string; certificate_expires_at: string }>`
    update iam_sso_connection
    set certificate_warned_at = ${at(0)}
    where status = 'active' and certificate_expires_at < ${at(warnedBeforeMs)}
      and (certificate_warned_at is null or certificate_warned_at < ${at(-warnedEveryMs)})
    returning id, certificate_expires_at`)
  for (const { id, certificate_expires_at: ends } of due) {
    const administrator_ids = await tellAdministrators(kernel, tx, { notice: 'sso_certificate', about: id })
    const facts = { connection_id: id, expires_at: ends, days_left: daysLeft(ends, now) ?? 0, administrator_ids }
    await tx.emit(certificateExpiryWarned, `sso_connection/${id}`, facts)
  }
  return due.length
}

/** Sign-ins that have ended or were given up, and logout tokens that could not be used again anyway. */
async function forgetFlows(kernel: Kernel, tx: Tx): Promise<void> {
  const now = kernel.clock.now()
  const ended = new Date(now - 60 * minuteMs).toISOString()
  await tx.execute(sql`delete from iam_sso_flow where expires_at < ${ended} and ${notHeld(ssoFlows)}`)
  await tx.execute(sql`delete from iam_sso_logout_token where expires_at < ${new Date(now).toISOString()}`)
}

const tend: JobDeclaration<IamServices> = {
  kind: 'iam.sso_tend',
  maxAttempts: 5,
  leaseMs: minuteMs,
  everyMs: 60 * minuteMs,
  run: async ({ tenantId, services: { kernel } }) => {
    await kernel.db.tenant({ tenantId }, async (tx) => {
      await warnOfCertificates(kernel, tx)
      await forgetFlows(kernel, tx)
    })
  },
}

export const ssoJobs = [tend]
