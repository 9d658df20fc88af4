import { table } from '../../../kernel/db/table.ts'
import { ControlRow } from './control-schema.ts'

export const controls = table({
  name: 'compliance_control',
  noun: 'control',
  row: ControlRow,
  sorts: ['position', 'updated_at'],
  data: { category: 'compliance', subject: ['owner_user_id'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})
