import { table } from '../../../kernel/db/table.ts'
import { strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

/** Time up to which a tenant's log was cleared by retention: explains why no older call is found. */
export const logRetention = table({
  name: 'gateway_log_retention',
  row: strictObject({ tenant_id: Uuid, removed_before: Timestamp }),
  key: [],
  data: { category: 'model_call', subject: [], retention: 'tenant', erasure: 'none' },
})
