import Type, { type Static } from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { Anomaly } from './schema.ts'

const data = { category: 'agent_activity', subject: [], retention: 'tenant', erasure: 'none' } as const

/** Written whole by the scoring job alone; its form is `BaselineState`. */
export const baselines = table({
  name: 'aegis_baseline',
  noun: 'baseline',
  row: Type.Object({ tenant_id: Uuid, agent_id: Uuid, state: Type.Object({}), updated_at: Timestamp }),
  key: ['agent_id'],
  data,
})

export const baselineBuckets = table({
  name: 'aegis_baseline_bucket',
  noun: 'bucket of a baseline',
  row: Type.Object({ tenant_id: Uuid, agent_id: Uuid, bucket: Type.Integer(), rings: Type.Object({}) }),
  key: ['agent_id', 'bucket'],
  data,
})

export const anomalies = table({
  name: 'aegis_anomaly',
  noun: 'anomaly',
  row: Anomaly,
  sorts: ['created_at', 'score'],
  data,
})
export type AnomalyRow = Static<typeof Anomaly>
