import { table } from '../../../kernel/db/table.ts'
import { settings } from '../schemas/tables.ts'
import { PolicyRow, PolicyVersionRow } from './schema.ts'

export const policies = table({
  name: 'gateway_policy',
  inTenantCopies: true,
  row: PolicyRow,
  sorts: ['created_at', 'name'],
  noun: 'policy',
  data: settings,
})

export const policyVersions = table({
  name: 'gateway_policy_version',
  inTenantCopies: true,
  row: PolicyVersionRow,
  noun: 'policy version',
  data: { ...settings, subject: ['author_id', 'published_by'], erasure: 'keep_pseudonymous' },
})
