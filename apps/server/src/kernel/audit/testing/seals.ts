import { expect, vi } from 'vitest'
import type { World } from '../../../../test/support/world.ts'
import type { TenantId } from '../../access/actor.ts'
import { sql } from '../../db/sql.ts'

const waiting = sql<{ count: number }>`select count(*)::int as count from audit_pending`

/** Resolves once every entry of the tenant has its seal; a transaction open anywhere on the server holds the sealer back. */
export async function untilSealed({ kernel }: World, tenantId: TenantId): Promise<void> {
  await vi.waitFor(async () => expect((await kernel.db.read(tenantId, waiting))[0]?.count).toBe(0), {
    timeout: 30_000,
    interval: 100,
  })
}
