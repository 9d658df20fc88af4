import { table } from '../../../kernel/db/table.ts'
import { AnalysisRow } from './schema.ts'

export const analyses = table({
  name: 'risk_analysis',
  noun: 'analysis',
  row: AnalysisRow,
  data: { category: 'risk', subject: ['created_by'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})
