import Type from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { FlagRow } from './schemas/flags.ts'

export const flags = table({
  name: 'admin_flag',
  inTenantCopies: true,
  noun: 'feature flag',
  sorts: ['key', 'created_at', 'updated_at'],
  row: FlagRow,
  dueBy: ['schedule', 'status'],
  data: { category: 'configuration', subject: [], retention: 'tenant', erasure: 'none' },
})

/** How often each variant was served, by day; contexts are not kept. */
export const flagExposures = table({
  name: 'admin_flag_exposure',
  key: ['flag_id', 'variant', 'day'],
  row: Type.Object({
    tenant_id: Uuid,
    flag_id: Uuid,
    variant: Type.String(),
    day: Type.String(),
    evaluations: Type.Integer(),
    last_at: Timestamp,
  }),
  data: { category: 'usage', subject: [], retention: 'P90D', erasure: 'none' },
})
