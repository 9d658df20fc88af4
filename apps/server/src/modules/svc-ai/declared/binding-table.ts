import { table } from '../../../kernel/db/table.ts'
import { BindingRow } from './binding-schema.ts'

export const bindings = table({
  name: 'svc_ai_binding',
  noun: 'provider binding',
  row: BindingRow,
  dueBy: ['role'],
  data: { category: 'configuration', subject: [], retention: 'tenant', erasure: 'none' },
})
