import { table } from '../../../kernel/db/table.ts'
import { resource } from '../../../kernel/resource/resource.ts'
import { AnalysisRow } from './analysis-schema.ts'
import { AssetRow } from './asset-schema.ts'
import { CampaignRow } from './campaign-schema.ts'
import { ImportRow, KeyRow, RelationRow, SnapshotRow } from './relation-schema.ts'

const data = { category: 'security', subject: [], retention: 'tenant', erasure: 'none' } as const

export const assets = table({
  name: 'cybertwins_asset',
  noun: 'asset',
  row: AssetRow,
  sorts: ['created_at', 'last_seen', 'criticality'],
  dueBy: ['stale_at', 'status'],
  data: { ...data, subject: ['owner_id'], erasure: 'keep_pseudonymous' },
})
export const assetResource = resource({ table: assets, kind: 'cybertwins_asset' })

/** External ids and fingerprints by which an asset is found again. */
export const assetKeys = table({ name: 'cybertwins_key', noun: 'external id', row: KeyRow, key: ['key'], data })

export const relations = table({ name: 'cybertwins_relation', noun: 'relation', row: RelationRow, data })

export const imports = table({
  name: 'cybertwins_import',
  noun: 'import',
  row: ImportRow,
  dueBy: ['format', 'created_at'],
  data: { ...data, subject: ['created_by'], erasure: 'keep_pseudonymous' },
})

/** States of the graph, which never change. */
export const snapshots = table({
  name: 'cybertwins_snapshot',
  noun: 'graph',
  row: SnapshotRow,
  appendOnly: true,
  // The system role removes them with their tenant.
  system: true,
  blobs: ['blob_id'],
  data,
})

export const analyses = table({
  name: 'cybertwins_analysis',
  noun: 'analysis',
  row: AnalysisRow,
  dueBy: ['created_at', 'scope', 'status'],
  data: { ...data, subject: ['created_by'], erasure: 'keep_pseudonymous' },
})

export const campaigns = table({
  name: 'cybertwins_campaign',
  noun: 'campaign',
  row: CampaignRow,
  data: { ...data, subject: ['created_by'], erasure: 'keep_pseudonymous' },
})
