/** Notes once a day how many seats are used, and tells once that a license is about to end and that it has. */
import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { JobDeclaration } from '../../../kernel/module/module.ts'
import type { AdminServices } from '../services/admin-services.ts'
import { licenseExpired, licenseExpiryWarned } from './events.ts'
import { listLicenses } from './licenses.ts'
import { standing } from './status.ts'
import { licenses } from './tables.ts'

const warnMs = 30 * 86_400_000

export const licenseJob: JobDeclaration<AdminServices> = {
  kind: 'admin.licenses.day',
  maxAttempts: 3,
  leaseMs: 30_000,
  everyMs: 3_600_000,
  run: ({ tenantId, services }) => noteDay(services, tenantId),
}

export async function noteDay(services: AdminServices, tenantId: TenantId): Promise<void> {
  const { db, clock } = services.kernel
  const at = clock.iso()
  await db.tenant({ tenantId }, async (tx) => {
    const { active } = await listLicenses(services, tx)
    await tx.execute(sql`
      insert into admin_license_day (day, seats_used) values (${at.slice(0, 10)}::date, ${active.usage.seats_used})
      on conflict (tenant_id, day) do update set seats_used = excluded.seats_used`)
    if (active.source === 'builtin' || active.expires_at === null) return
    const { id, license_id, plan, expires_at } = active
    const row = await licenses.need(tx, id)
    const news = { id, license_id, plan, expires_at }
    if (row.warned_at === null && clock.now() >= Date.parse(expires_at) - warnMs) {
      await licenses.patch(tx, id, { warned_at: at })
      await tx.emit(licenseExpiryWarned, id, news)
    }
    if (row.expiry_told_at === null && standing(row, clock.now()) === 'expired') {
      await licenses.patch(tx, id, { expiry_told_at: at })
      await tx.emit(licenseExpired, id, news)
    }
  })
}
