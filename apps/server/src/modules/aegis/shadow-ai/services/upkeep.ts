/**
 * Time-driven changes of discovered services: toleration ends, and use older than 180 days is removed.
 * Tested in services.test.ts.
 */

import { notHeld } from '../../../../kernel/data-registry/holds.ts'
import type { Tx } from '../../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../../kernel/db/sql.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { DueAt, JobDeclaration } from '../../../../kernel/module/module.ts'
import { change, holdAll } from '../../../../kernel/resource/resource.ts'
import type { ShadowAiParts } from '../declared/parts.ts'
import { uses } from '../declared/tables.ts'
import { rescore } from '../risk/rescore.ts'
import { serviceResource } from './change-service.ts'

/** At most so many in one transaction; the rest is due again later. */
const batch = 200
const keptDays = 180
const dayMs = 86_400_000
const hourMs = 3_600_000

interface Services {
  readonly shadowAi: ShadowAiParts
}

const isOver = (now: string): SqlPart => sql`(status = 'tolerated' and tolerated_until <= ${now})`
const oldestKept = (now: number): number => Math.floor(now / dayMs) - keptDays

export const shadowAiUpkeep: JobDeclaration<Services> = {
  kind: 'aegis.shadow_ai.upkeep',
  maxAttempts: 3,
  leaseMs: 120_000,
  everyMs: hourMs,
  due: ({ now }: DueAt) => sql`(
    exists (select from aegis_shadow_ai_service held where held.tenant_id = tenant.id and ${isOver(now)})
    or exists (select from aegis_shadow_ai_use used
      where used.tenant_id = tenant.id and used.day < ${oldestKept(Date.parse(now))}))`,
  run: async ({ tenantId, kernel, services: { shadowAi } }) => {
    const allowedRegions = await shadowAi.iam.dataResidency(tenantId)
    await kernel.db.tenant({ tenantId }, async (tx) => {
      await endTolerations(kernel, tx)
      const ids = await removeOldUse(kernel, tx)
      await rescore(kernel, tx, { ids, allowedRegions })
    })
  },
}

async function endTolerations(kernel: Kernel, tx: Tx): Promise<void> {
  const over = await holdAll(tx, serviceResource, { where: isOver(kernel.clock.iso()), limit: batch })
  for (const held of over)
    await change(kernel, tx, held, {
      action: 'aegis.shadow_ai_service.expire',
      changes: { status: 'under_review', tolerated_until: null },
      reason: 'The toleration ended',
    })
}

/** Ids of the services whose use it was. */
async function removeOldUse({ clock }: Pick<Kernel, 'clock'>, tx: Tx): Promise<readonly string[]> {
  const rows = await tx.query(
    sql<{ service_id: string }>`
      with removed as (
        delete from aegis_shadow_ai_use where day < ${oldestKept(clock.now())} and ${notHeld(uses)} returning service_id)
      select distinct service_id from removed`,
  )
  return rows.map(({ service_id: id }) => id)
}
