import { table } from '../../../kernel/db/table.ts'
import { ModelRow, ServiceRow } from './model-schema.ts'

/** Versions of the model are evidence; `system` lets them go with their tenant. */
export const models = table({
  name: 'resilience_model',
  noun: 'service model',
  row: ModelRow,
  appendOnly: true,
  system: true,
  data: { category: 'resilience', subject: ['created_by'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})

export const services = table({
  name: 'resilience_service',
  noun: 'service',
  row: ServiceRow,
  sorts: ['key', 'criticality'],
  dueBy: ['key'],
  data: { category: 'resilience', subject: [], retention: 'tenant', erasure: 'none' },
})
