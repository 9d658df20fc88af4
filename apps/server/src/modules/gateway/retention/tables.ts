import { table } from '../../../kernel/db/table.ts'
import { strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

/** Up to when a tenant's log was cleared because its days were over: who finds no older call knows why. */
export const logRetention = table({
  name: 'gateway_log_retention',
  row: strictObject({ tenant_id: Uuid, removed_before: Timestamp }),
  key: [],
  data: { category: 'model_call', subject: [], retention: 'tenant', erasure: 'none' },
})
