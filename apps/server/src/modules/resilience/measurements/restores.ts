/**
 * Timed restores of backups become measured recoveries of the database, and the time between two proven backups the data
 * that a loss just before the newer one would have cost. Tested in restores.test.ts.
 */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { systemCaller } from '../../../kernel/facts/facts.ts'
import type { EventBatch, EventHandlerDeclaration } from '../../../kernel/module/module.ts'
import { type MeasurementRow, measurements } from '../declared/measurements.ts'
import { assessService } from '../model/assess.ts'
import { databaseKey } from '../model/platform-map.ts'
import type { ResilienceServices } from '../services/resilience-services.ts'

export const timedRestores: EventHandlerDeclaration<ResilienceServices> = {
  name: 'resilience.timed_restores',
  channels: ['admin.restore.completed'],
  handle: noteRestores,
}

async function noteRestores({ tx, events, services }: EventBatch<ResilienceServices>): Promise<void> {
  for (const { id, time, data } of events) {
    const {
      backup_id: backup,
      duration_ms: ms,
      mode,
    } = data as { backup_id: string; duration_ms: number; mode: string }
    const started = new Date(Date.parse(time) - ms).toISOString()
    await note(services, tx, {
      objective: 'rto',
      minutes: ms / 60_000,
      reference: `restore:${id}`,
      started_at: started,
    })
    if (mode === 'verify') await noteLoss(services, tx, { reference: `backup:${backup}`, started_at: started })
  }
  await assessService(services.kernel, tx, databaseKey)
}

type Noted = Pick<MeasurementRow, 'objective' | 'minutes' | 'reference' | 'started_at'>

function note({ kernel }: ResilienceServices, tx: Tx, noted: Noted): Promise<unknown> {
  return measurements.insert(tx, {
    ...{ tenant_id: tx.tenantId, id: kernel.random.uuid(), created_at: kernel.clock.iso() },
    ...{ service_key: databaseKey, source: 'restore' },
    ...noted,
  })
}

/** Once for each backup, however often it is proven. */
async function noteLoss(
  services: ResilienceServices,
  tx: Tx,
  noted: Pick<Noted, 'reference' | 'started_at'>,
): Promise<void> {
  const known = await tx.first(sql`
    select 1 as one from resilience_measurement where reference = ${noted.reference} limit 1`)
  const { data } = await services.facts().read(tx, 'admin.backups', { caller: systemCaller })
  const seconds = data.verified_interval_seconds
  if (known !== null || typeof seconds !== 'number') return
  await note(services, tx, { ...noted, objective: 'rpo', minutes: seconds / 60 })
}
