import { table } from '../../../kernel/db/table.ts'
import { EdgeRow, EventRow, NodeRow } from './lineage-schema.ts'

const data = { category: 'lineage', subject: [], retention: 'tenant', erasure: 'none' } as const

export const nodes = table({ name: 'data_gov_node', noun: 'lineage node', row: NodeRow, data })
export const edges = table({ name: 'data_gov_edge', noun: 'lineage edge', row: EdgeRow, data })
export const lineageEvents = table({
  name: 'data_gov_lineage_event',
  noun: 'lineage event',
  row: EventRow,
  data: { ...data, retention: 'P400D', erasure: 'delete' },
})
