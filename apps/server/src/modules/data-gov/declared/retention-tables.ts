import { table } from '../../../kernel/db/table.ts'
import { ErasureRow, PolicyRow, RunRow } from './retention-schema.ts'

const data = {
  category: 'data_governance',
  subject: [],
  basis: 'legal_obligation',
  retention: 'tenant',
  erasure: 'keep_pseudonymous',
} as const

export const policies = table({
  name: 'data_gov_policy',
  noun: 'retention policy',
  row: PolicyRow,
  sorts: ['created_at'],
  dueBy: ['status', 'kind', 'next_run_at'],
  data: { ...data, subject: ['created_by'] },
})

/** Retention runs and requests of data subjects. */
export const runs = table({
  name: 'data_gov_run',
  noun: 'retention run',
  row: RunRow,
  sorts: ['created_at', 'due_at'],
  dueBy: ['status', 'kind', 'due_at', 'export_expires_at'],
  blobs: ['export_id'],
  data: { ...data, subject: ['requested_by', 'approved_by'] },
})

/** The ledger of erasures: it says what must not come back, so a restore leaves it alone. */
export const erasures = table({
  name: 'data_gov_erasure',
  noun: 'erasure',
  row: ErasureRow,
  outlivesRestore: true,
  system: true,
  data: { ...data, subject: ['user_ids'] },
})
