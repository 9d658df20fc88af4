import { table } from '../../../kernel/db/table.ts'
import { EvaluationRow } from './evaluation-schema.ts'

export const evaluations = table({
  name: 'svc_ai_evaluation',
  noun: 'evaluation',
  row: EvaluationRow,
  sorts: ['created_at'],
  data: { category: 'evaluation', subject: ['created_by'], retention: 'tenant', erasure: 'delete' },
})
