import { sql } from '../../../../kernel/db/sql.ts'
import type { TenantCheck } from '../../../../kernel/health/checks.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { daysLeft } from './views.ts'

const warnDays = 30

/** Shows a tenant how long its single sign-on certificates are valid; after the last one ends, sign-in by it fails. */
export function certificateCheck({ db, clock }: Pick<Kernel, 'db' | 'clock'>): TenantCheck {
  return {
    name: 'sso_connections',
    run: async (tenantId) => {
      const rows = await db.read(
        tenantId,
        sql<{ name: string; ends: string | null }>`
          select name, certificate_expires_at as ends from iam_sso_connection
          where status = 'active' order by certificate_expires_at nulls last`,
      )
      const [first] = rows
      const days = first === undefined ? null : daysLeft(first.ends, clock.now())
      const status = days === null || days > warnDays ? 'pass' : days > 0 ? 'warn' : 'fail'
      const next = days === null ? null : (first?.name ?? null)
      return { status, observed: { active: rows.length, certificate_days_left: days, ends_first: next } }
    },
  }
}
