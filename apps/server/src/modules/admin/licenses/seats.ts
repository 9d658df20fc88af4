/**
 * The seats of every tenant with an installed license, in memory, so that who adds people need not know of licenses.
 * Tested in licenses.test.ts.
 */

import type { TenantId } from '../../../kernel/access/actor.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Seats } from '../services/seats.ts'
import type { LicenseClaims } from './schemas.ts'
import { distributorKeys } from './settings.ts'
import { seatLimit } from './status.ts'

export const licensesTopic = 'admin.licenses'

type Held = Pick<LicenseClaims, 'seats' | 'expires_at' | 'grace_days'> & {
  readonly tenant_id: TenantId
  readonly kid: string
}

export function createSeats(kernel: Pick<Kernel, 'db' | 'live' | 'clock' | 'settings' | 'background'>): Seats {
  /** The newest first. */
  let held = new Map<TenantId, readonly Held[]>()
  const read = async (): Promise<void> => {
    const rows = await kernel.db.system('licenses', (tx) =>
      tx.query(sql<Held>`
        select tenant_id, kid, seats, expires_at, grace_days from admin_license order by created_at desc, id desc`),
    )
    const next = new Map<TenantId, readonly Held[]>()
    for (const row of rows) next.set(row.tenant_id, [...(next.get(row.tenant_id) ?? []), row])
    held = next
  }
  let reading: Promise<void> = Promise.resolve()
  const refresh = (): Promise<void> => {
    reading = reading.then(read, read)
    return reading
  }
  kernel.live.on(licensesTopic, () => kernel.background('seats', refresh()))
  return {
    name: 'seats',
    refresh,
    limit: (tenantId) => {
      const own = held.get(tenantId)
      if (own === undefined) return null
      const known = kernel.settings.get(distributorKeys, null)
      const active = own.find(({ kid }) => known.some((text) => text.startsWith(`${kid}:`))) ?? null
      return seatLimit(active, kernel.clock.now())
    },
    start: refresh,
    stop: async () => {},
  }
}
