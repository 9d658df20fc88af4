import { table } from '../../../kernel/db/table.ts'
import { CheckRow } from './check-schema.ts'

export const checkStates = table({
  name: 'compliance_check',
  noun: 'check',
  row: CheckRow,
  dueBy: ['due_at'],
  data: { category: 'compliance', subject: [], retention: 'tenant', erasure: 'none' },
})
