import { table } from '../../../kernel/db/table.ts'
import { FrameworkRow } from './framework-schema.ts'
import { MappingRow } from './mapping-schema.ts'

const data = { category: 'compliance', subject: [], retention: 'tenant', erasure: 'none' } as const

export const frameworks = table({
  name: 'compliance_framework',
  noun: 'framework',
  row: FrameworkRow,
  sorts: ['created_at'],
  dueBy: ['adoption'],
  blobs: ['document_id', 'profile_id'],
  data,
})

/** Relations between controls of two frameworks, as they were imported. */
export const mappings = table({ name: 'compliance_mapping', noun: 'mapping', row: MappingRow, data })
