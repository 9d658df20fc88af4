import Type from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { Posture } from './schema.ts'

/** One row per day; counts only. */
export const postures = table({
  name: 'iam_posture',
  key: ['day'],
  row: Type.Object({
    tenant_id: Uuid,
    /** UTC, `YYYY-MM-DD`. */
    day: Type.String(),
    posture: Posture,
    measured_at: Timestamp,
  }),
  data: { category: 'usage', subject: [], retention: 'P365D', erasure: 'none' },
})
