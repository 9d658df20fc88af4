import { table } from '../../../kernel/db/table.ts'
import { AssetRow } from './asset-schema.ts'
import { ScanRow } from './scan-schema.ts'

const data = { category: 'data_inventory', subject: [], retention: 'tenant', erasure: 'none' } as const

export const assets = table({
  name: 'data_gov_asset',
  noun: 'data asset',
  row: AssetRow,
  sorts: ['created_at', 'updated_at'],
  data: { ...data, subject: ['owner_user_id'], erasure: 'keep_pseudonymous' },
})

export const scans = table({
  name: 'data_gov_scan',
  noun: 'scan',
  row: ScanRow,
  data: { ...data, subject: ['created_by'], erasure: 'keep_pseudonymous' },
})
