import { table } from '../../../kernel/db/table.ts'
import { BreakRow, ClaimRow, EvidenceRow, RecordRow } from './evidence-schema.ts'

const data = { category: 'compliance', subject: [], retention: 'tenant', erasure: 'none' } as const

export const evidence = table({
  name: 'compliance_evidence',
  noun: 'evidence',
  row: EvidenceRow,
  sorts: ['created_at', 'valid_until'],
  dueBy: ['valid_until', 'status'],
  data: { ...data, subject: ['created_by', 'reviewed_by'], erasure: 'keep_pseudonymous' },
})

/** The chain: one record for each version of evidence. */
export const records = table({
  name: 'compliance_record',
  noun: 'record',
  row: RecordRow,
  appendOnly: true,
  // The system role removes them with their tenant, and nobody else ever.
  system: true,
  blobs: ['blob_id'],
  data,
})

export const claims = table({ name: 'compliance_claim', noun: 'claim', row: ClaimRow, data })

/** Places at which the chain was found broken. */
export const breaks = table({
  name: 'compliance_chain_break',
  noun: 'break',
  row: BreakRow,
  appendOnly: true,
  system: true,
  data,
})
