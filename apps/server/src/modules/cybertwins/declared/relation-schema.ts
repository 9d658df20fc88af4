/** Relations between assets, external ids, imports and snapshots as they are stored. */
import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { Relation, Share, Technique } from './asset-schema.ts'
import { importFormats, relationKinds, snapshotTriggers } from './words.ts'

export const RelationRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  created_at: Timestamp,
  updated_at: Timestamp,
  source_id: Uuid,
  target_id: Uuid,
  kind: oneOf(...relationKinds),
  technique: nullable(Technique),
  p_override: nullable(Share),
  reason: nullable(Type.String({ maxLength: 500 })),
  hours: nullable(Type.Number({ minimum: 0 })),
  requires: nullable(Type.String({ maxLength: 64 })),
  source: Relation.properties.source,
})
export type RelationRow = Static<typeof RelationRow>

export const KeyRow = strictObject({
  tenant_id: Uuid,
  key: Type.String({ maxLength: 600 }),
  asset_id: Uuid,
})
export type KeyRow = Static<typeof KeyRow>

const Count = Type.Integer({ minimum: 0 })
export const Skipped = strictObject({ pointer: Type.String(), reason: Type.String() })
export type Skipped = Static<typeof Skipped>

const counts = {
  created: Count,
  updated: Count,
  unchanged: Count,
  stale: Count,
  edges: Type.Integer({ minimum: 0, description: 'Relations that are new or changed' }),
  edges_removed: Count,
  vulnerabilities: Type.Integer({ minimum: 0, description: 'Vulnerabilities and VEX statements that were read' }),
}
export const ImportCounts = strictObject(counts)
export type ImportCounts = Static<typeof ImportCounts>

export const ImportRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  created_at: Timestamp,
  format: oneOf(...importFormats),
  source: Type.String({ maxLength: 63 }),
  authoritative: Type.Boolean(),
  counts: ImportCounts,
  skipped: Type.Array(Skipped),
  created_by: nullable(Uuid),
})
export type ImportRow = Static<typeof ImportRow>

const Column = Type.String({ minLength: 1, maxLength: 60 })
/** Columns of a CSV by what they mean. */
export const CsvMapping = strictObject({
  kind: Type.Optional(Column),
  name: Type.Optional(Column),
  external_id: Type.Optional(Column),
  exposure: Type.Optional(Column),
  criticality: Type.Optional(Column),
  environment: Type.Optional(Column),
  crown_jewel: Type.Optional(Column),
  entry_point: Type.Optional(Column),
  cve: Type.Optional(Column),
  relation: Type.Optional(Column),
  target: Type.Optional(Column),
})
export type CsvMapping = Static<typeof CsvMapping>

export const NewImport = strictObject({
  format: oneOf(...importFormats),
  content: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64 * 1_048_576, description: 'Text of the file; not for `platform`' }),
  ),
  source: Type.Optional(
    Type.String({
      pattern: '^[a-z0-9][a-z0-9_.-]{0,62}$',
      maxLength: 63,
      description: 'Name of the inventory; default: the format. An authoritative import compares with it',
    }),
  ),
  mapping: Type.Optional(CsvMapping),
  authoritative: Type.Optional(
    Type.Boolean({ description: 'Assets of this source that the file lacks go stale, and relations are removed' }),
  ),
  dry_run: Type.Optional(Type.Boolean({ description: 'Stores nothing and answers the counts and the refused parts' })),
})
export type NewImport = Static<typeof NewImport>

export const Import = strictObject({
  id: Uuid,
  status: oneOf('completed'),
  format: oneOf(...importFormats),
  source: Type.String(),
  dry_run: Type.Boolean(),
  ...counts,
  skipped: Type.Array(Skipped, { maxItems: 1000 }),
})
export type Import = Static<typeof Import>

export const SnapshotRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  created_at: Timestamp,
  label: nullable(Type.String({ maxLength: 200 })),
  trigger: oneOf(...snapshotTriggers),
  nodes: Count,
  edges: Count,
  sha256: Type.String({ maxLength: 64 }),
  parent_id: nullable(Uuid),
  import_id: nullable(Uuid),
  blob_id: Uuid,
})
export type SnapshotRow = Static<typeof SnapshotRow>
