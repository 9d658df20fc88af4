import { table } from '../../../kernel/db/table.ts'
import { PostureRow } from './schema.ts'

/** One point for each change; those older than seven days are thinned to one an hour. */
export const postures = table({
  name: 'aegis_posture',
  noun: 'posture',
  row: PostureRow,
  dueBy: ['created_at'],
  data: { category: 'security', subject: [], retention: 'tenant', erasure: 'none' },
})
