/** Recoveries and losses of data that were measured. Tested in measurements.test.ts and experiments.test.ts. */
import Type, { type Static } from 'typebox'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { table } from '../../../kernel/db/table.ts'
import { nullable, oneOf, Slug, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

export const MeasurementRow = strictObject({
  tenant_id: Uuid,
  id: Uuid,
  service_key: Slug,
  objective: oneOf('rto', 'rpo'),
  source: oneOf('incident', 'experiment', 'restore'),
  /** Source of the measurement: an experiment, a provider, a backup. */
  reference: Type.String({ maxLength: 200 }),
  /** Null while an outage goes on. */
  minutes: nullable(Type.Number({ minimum: 0 })),
  started_at: Timestamp,
  created_at: Timestamp,
})
export type MeasurementRow = Static<typeof MeasurementRow>

export const measurements = table({
  name: 'resilience_measurement',
  noun: 'measurement',
  row: MeasurementRow,
  data: { category: 'resilience', subject: [], retention: 'tenant', erasure: 'none' },
})

export interface Measurement extends Pick<MeasurementRow, 'objective' | 'source' | 'started_at'> {
  readonly minutes: number
}

/** Days for which a measurement says something about today. */
const validDays = 365
/** Of one service and source; older ones leave. */
const mostCounted = 200

/** Measurements of the last year by service. @param key null for all services */
export async function measurementsOf(tx: Tx, key: string | null): Promise<ReadonlyMap<string, readonly Measurement[]>> {
  const rows = await tx.query(sql<Measurement & { service_key: string }>`
    select service_key, objective, source, started_at, minutes from (
      select *, row_number() over (partition by service_key, objective, source order by started_at desc, id desc) as place
      from resilience_measurement
      where minutes is not null and (${key}::text is null or service_key = ${key}::text)
        and started_at > now() - make_interval(days => ${validDays})) as ranked
    where place <= ${mostCounted}`)
  const found = new Map<string, Measurement[]>()
  for (const { service_key: service, ...row } of rows) found.set(service, [...(found.get(service) ?? []), row])
  return found
}
