import { table } from '../../../../kernel/db/table.ts'
import { ThreatRow } from './schema.ts'

export const threats = table({
  name: 'risk_threat',
  noun: 'threat',
  row: ThreatRow,
  sorts: ['external_id', 'created_at'],
  data: { category: 'configuration', subject: [], retention: 'tenant', erasure: 'none' },
})
