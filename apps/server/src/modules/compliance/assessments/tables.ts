import { table } from '../../../kernel/db/table.ts'
import { AssessmentRow, ResultRow } from './schema.ts'

const data = { category: 'compliance', retention: 'tenant' } as const

export const assessments = table({
  name: 'compliance_assessment',
  noun: 'assessment',
  row: AssessmentRow,
  sorts: ['created_at'],
  data: { ...data, subject: ['created_by', 'submitted_by', 'approver_id'], erasure: 'keep_pseudonymous' },
})

export const results = table({
  name: 'compliance_result',
  noun: 'result',
  row: ResultRow,
  data: { ...data, subject: [], erasure: 'none' },
})
