import { table } from '../../../kernel/db/table.ts'
import { RiskRow, ScoreRow } from './schema.ts'

export const risks = table({
  name: 'risk_register',
  noun: 'risk',
  row: RiskRow,
  sorts: ['created_at', 'score'],
  dueBy: ['status', 'review_due_at', 'acceptance_until', 'next_deadline_at', 'measured_at'],
  data: { category: 'risk', subject: ['owner_id'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})

/** Every score that a risk had, with its cause. */
export const scores = table({
  name: 'risk_score',
  noun: 'score',
  row: ScoreRow,
  appendOnly: true,
  data: { category: 'risk', subject: [], retention: 'tenant', erasure: 'none' },
})
