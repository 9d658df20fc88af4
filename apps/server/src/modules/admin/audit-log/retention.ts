/**
 * Removes entries older than the installation's retention from every audit log, once a day. Promises that nothing is
 * removed while a legal hold is on, and that a log that differs from its seals keeps everything and is reported as
 * tampered with. kernel/audit/cut.ts does the cutting. Tested in retention.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import type { CutOutcome } from '../../../kernel/audit/cut.ts'
import { legalHoldOf } from '../../../kernel/audit/legal-hold.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import { auditRetentionDays } from './settings.ts'
import { recordVerdict } from './verify.ts'

const dayMs = 86_400_000

const retentionKind = 'admin.audit.retention'

const ofTenants: JobDeclaration<unknown> = {
  kind: retentionKind,
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: dayMs,
  run: async ({ tenantId, kernel, signal, result }) => {
    const outcome = await removeOldEntries(kernel, { tenantId, signal })
    if (outcome !== null) result({ removed: outcome.removed, verified: outcome.fault === null })
  },
}

/** The installation's own log. */
const ofInstallation: JobDeclaration<unknown> = {
  ...ofTenants,
  kind: `${retentionKind}_platform`,
  ofInstallation: true,
}

export const retentionJobs = [ofTenants, ofInstallation]

interface Removal {
  readonly tenantId: TenantId
  readonly signal: AbortSignal
}

/** Null where nothing was asked for: no age is set, or a legal hold is. */
export async function removeOldEntries(kernel: Kernel, { tenantId, signal }: Removal): Promise<CutOutcome | null> {
  const { settings, clock } = kernel
  const held = await legalHoldOf(kernel, tenantId, 'audit')
  const days = settings.get(auditRetentionDays, null)
  if (days === null || held !== null) return null
  const before = new Date(clock.now() - days * dayMs).toISOString()
  const outcome = await kernel.auditRetention.cut({ tenantId, before, signal })
  if (outcome.fault !== null) {
    const body = tenantId === platformTenant ? { scope: 'platform' as const } : {}
    await recordVerdict(
      kernel,
      { tenantId },
      { began: kernel.clock.iso(), report: { ...outcome.fault, verified: false }, body },
    )
  }
  return outcome
}
