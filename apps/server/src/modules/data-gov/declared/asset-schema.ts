import Type, { type Static } from 'typebox'
import { includeOf } from '../../../kernel/schema/include.ts'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { type Level, levels } from '../taxonomy/taxonomy.ts'

export const assetKinds = ['dataset', 'column', 'file', 'document'] as const
export const labelStates = ['proposed', 'confirmed', 'rejected'] as const
const Name = Type.String({ minLength: 1, maxLength: 2000 })
const CategoryId = Type.String({ minLength: 1, maxLength: 60 })
const LevelWord = Type.Unsafe<Level>({ type: 'string', enum: [...levels] })

export const Label = strictObject({
  category: CategoryId,
  origin: oneOf('detected', 'manual'),
  state: oneOf(...labelStates),
  confidence: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  decided_by: nullable(Uuid),
  decided_at: nullable(Timestamp),
  reason: nullable(Type.String({ maxLength: 500 })),
})
export type Label = Static<typeof Label>

const assetFields = {
  kind: oneOf(...assetKinds),
  namespace: Name,
  name: Name,
  field: nullable(Name),
  owner_user_id: nullable(Uuid),
  level: nullable(LevelWord),
  categories: Type.Array(CategoryId),
  labels: Type.Array(Label),
  pinned: Type.Boolean(),
  purposes: Type.Array(Type.String({ maxLength: 100 })),
  last_scan_id: nullable(Uuid),
  last_seen_at: nullable(Timestamp),
}
export const AssetRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  /** Key of the node of lineage that it is. */
  key: Type.String(),
  ...assetFields,
  level_set: nullable(LevelWord),
})
export type AssetRow = Static<typeof AssetRow>

const Inherited = strictObject({
  level: nullable(LevelWord),
  categories: Type.Array(CategoryId),
  from_node: nullable(Uuid),
})
export const Asset = resource({ ...assetFields, inherited: Type.Optional(nullable(Inherited)) })
export type Asset = Static<typeof Asset>
export const ListedAsset = strictObject({ ...Asset.properties, etag: Type.String({ maxLength: 64 }) })
export const PatchedAsset = strictObject({
  ...Asset.properties,
  dry_run: Type.Boolean(),
  downstream_changed: Type.Integer({ minimum: 0, description: 'Nodes of lineage whose labels move' }),
})

export const AssetFilter = strictObject({
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  kind: Type.Optional(oneOf(...assetKinds)),
  namespace: Type.Optional(Name),
  level: Type.Optional(LevelWord),
  category: Type.Optional(CategoryId),
  state: Type.Optional(oneOf(...labelStates)),
  owner_user_id: Type.Optional(Uuid),
  scan_id: Type.Optional(Uuid),
  include: Type.Optional(includeOf('inherited')),
})
export type AssetFilter = Static<typeof AssetFilter>

export const AssetPatch = strictObject({
  labels: Type.Optional(
    Type.Array(
      strictObject({
        category: CategoryId,
        state: oneOf(...labelStates),
        reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
      }),
      { minItems: 1, maxItems: 50 },
    ),
  ),
  level: Type.Optional(nullable(LevelWord)),
  owner_user_id: Type.Optional(nullable(Uuid)),
  purposes: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50 })),
  pin: Type.Optional(Type.Boolean({ description: 'False needs data-gov:admin' })),
  dry_run: Type.Optional(Type.Boolean()),
})
export type AssetPatch = Static<typeof AssetPatch>
