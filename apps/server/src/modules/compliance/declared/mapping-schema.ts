import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { relations } from '../crosswalk/relations.ts'

export const MappingRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  source_key: Type.String({ maxLength: 100 }),
  target_key: Type.String({ maxLength: 100 }),
  sources: Type.Array(Type.String({ maxLength: 250 })),
  targets: Type.Array(Type.String({ maxLength: 250 })),
  relation: oneOf(...relations),
  rationale: nullable(Type.String({ maxLength: 40 })),
  reason: nullable(Type.String({ maxLength: 2000 })),
  strength: nullable(Type.Integer({ minimum: 1, maximum: 10 })),
  coverage: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  /** Title of the collection that it came with. */
  origin: Type.String({ maxLength: 500 }),
})
export type MappingRow = Static<typeof MappingRow>
