import { table } from '../../../kernel/db/table.ts'
import { AliasRow, ConsentEventRow, ConsentRow, NoticeRow, SubjectRow } from './consent-schema.ts'

const data = {
  category: 'consent',
  subject: [],
  basis: 'legal_obligation',
  retention: 'tenant',
  erasure: 'keep_pseudonymous',
} as const

export const notices = table({
  name: 'data_gov_notice',
  noun: 'notice',
  row: NoticeRow,
  sorts: ['created_at'],
  data: { ...data, subject: ['created_by'] },
})

/** People as consents and requests name them: an id, and keyed hashes of identifiers that lead to it. */
export const subjects = table({ name: 'data_gov_subject', noun: 'data subject', row: SubjectRow, data })

export const aliases = table({ name: 'data_gov_alias', noun: 'alias', row: AliasRow, key: ['hash'], data })

export const consents = table({
  name: 'data_gov_consent',
  noun: 'consent record',
  row: ConsentRow,
  sorts: ['created_at', 'updated_at', 'valid_until'],
  data,
})

/** Every event as it was told: the state of a record follows from its events. */
export const consentHistory = table({
  name: 'data_gov_consent_event',
  noun: 'consent event',
  row: ConsentEventRow,
  appendOnly: true,
  // The system role removes them with their tenant, and nobody else ever.
  system: true,
  data: { ...data, subject: ['recorded_by'] },
})
