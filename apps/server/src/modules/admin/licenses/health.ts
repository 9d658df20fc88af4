import { platformTenant } from '../../../kernel/access/platform-tenant.ts'
import type { Finding, TenantCheck } from '../../../kernel/health/checks.ts'
import type { AdminServices } from '../services/admin-services.ts'
import { listLicenses } from './licenses.ts'

const dayMs = 86_400_000
const warnDays = 30

/** Shows a tenant how long its license still counts. It never fails: nothing but new people waits for a license. */
export function licenseCheck(services: AdminServices): TenantCheck {
  const { db, clock } = services.kernel
  return {
    name: 'license',
    run: async (tenantId): Promise<Finding> => {
      if (tenantId === platformTenant) return { status: 'pass' }
      const { active } = await db.tenant({ tenantId, readOnly: true }, (tx) => listLicenses(services, tx))
      const { plan, status, expires_at: ends, seats, usage } = active
      const days = ends === null ? null : Math.floor((Date.parse(ends) - clock.now()) / dayMs)
      const isWell = status === 'active' && (days === null || days > warnDays) && !usage.over
      return {
        status: isWell ? 'pass' : 'warn',
        observed: { plan, standing: status, days_left: days, seats, seats_used: usage.seats_used },
      }
    },
  }
}
