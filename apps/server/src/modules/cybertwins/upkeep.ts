/**
 * Work by the passing of time: assets that nobody saw for too long go stale, the platform is read again each day once
 * somebody has asked for it, and the crown jewels are analyzed after changes and each night. Tested in imports.test.ts.
 */
import { sql } from '../../kernel/db/sql.ts'
import type { JobContext, JobDeclaration } from '../../kernel/module/module.ts'
import { createAnalysis } from './analysis/create.ts'
import { lockTwin } from './assets/lock.ts'
import type { AssetRow } from './declared/asset-schema.ts'
import { assetChanged } from './declared/events.ts'
import { takeSnapshot } from './graph/snapshots.ts'
import { reanalysisJob, refreshFromPlatform } from './imports/import.ts'
import type { TwinServices } from './services/twin-services.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const batch = 500

export const staleJob: JobDeclaration<TwinServices> = {
  kind: 'cybertwins.stale',
  maxAttempts: 3,
  leaseMs: 60_000,
  everyMs: hourMs,
  due: ({ now }) => sql`exists (
    select from cybertwins_asset held where held.tenant_id = tenant.id and held.stale_at <= ${now}
      and held.status in ('discovered', 'active'))`,
  run: async ({ tenantId, kernel }) => {
    await kernel.db.tenant({ tenantId }, async (tx) => {
      await lockTwin(tx)
      const now = kernel.clock.iso()
      const gone = await tx.query(sql<Pick<AssetRow, 'id' | 'kind'>>`
        update cybertwins_asset set status = 'stale', stale_at = null, version = version + 1, updated_at = ${now}
        where id in (
          select id from cybertwins_asset where stale_at <= ${now} and status in ('discovered', 'active')
          order by stale_at limit ${batch})
        returning id, kind`)
      const data = { change: 'stale' as const, source: 'clock' }
      await tx.emitAll(
        assetChanged,
        gone.map(({ id, kind }) => ({ subject: id, data: { asset_id: id, kind, ...data } })),
      )
    })
  },
}

export const refreshJob: JobDeclaration<TwinServices> = {
  kind: 'cybertwins.refresh',
  maxAttempts: 3,
  leaseMs: 120_000,
  everyMs: hourMs,
  due: ({ ago }) => sql`
    exists (select from cybertwins_import held where held.tenant_id = tenant.id and held.format = 'platform')
    and not exists (
      select from cybertwins_import held
      where held.tenant_id = tenant.id and held.format = 'platform' and held.created_at > ${ago(dayMs)})`,
  run: async ({ tenantId, services }) => {
    await refreshFromPlatform(services, { tenantId })
  },
}

/** After a change, and for every tenant with an analysis of its crown jewels that is a day old. */
export const reanalysis: JobDeclaration<TwinServices> = {
  kind: reanalysisJob,
  lane: 'long',
  maxAttempts: 3,
  leaseMs: 120_000,
  everyMs: hourMs,
  due: ({ ago }) => sql`
    exists (select from cybertwins_analysis held where held.tenant_id = tenant.id and held.scope = 'crown_jewels')
    and not exists (
      select from cybertwins_analysis held
      where held.tenant_id = tenant.id and held.scope = 'crown_jewels' and held.created_at > ${ago(dayMs)})`,
  run: reanalyze,
}

async function reanalyze({ tenantId, kernel, services, payload }: JobContext<TwinServices>): Promise<void> {
  const isWorthIt = await kernel.db.tenant({ tenantId, readOnly: true }, (tx) =>
    tx.first(sql<{ worth: boolean }>`
      select exists (select from cybertwins_asset where crown_jewel and status <> 'retired')
        and exists (select from cybertwins_asset where entry_point and status <> 'retired') as worth`),
  )
  if (isWorthIt?.worth !== true) return
  const importId = typeof payload.import_id === 'string' ? payload.import_id : null
  const trigger = 'import_id' in payload ? 'import' : 'scheduled'
  const { row } = await takeSnapshot(services, { tenantId }, { trigger, importId })
  await createAnalysis(services, { scope: { tenantId }, userId: null, body: { graph_id: row.id } })
}
