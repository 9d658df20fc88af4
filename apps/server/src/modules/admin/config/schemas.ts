import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { ChangeOrigin } from './origin.ts'

export const SettingKey = Type.String({ pattern: '^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*){0,3}$', maxLength: 160 })
const AnyJson = Type.Unknown({ description: 'Any JSON value that the schema of the setting allows.' })

export const ChangeScope = oneOf('platform', 'tenant')
export type ChangeScope = Static<typeof ChangeScope>

export const ConfigEntry = strictObject({
  key: SettingKey,
  value: Type.Unknown({ description: 'The value that counts; null where it is a secret.' }),
  redacted: Type.Boolean({ description: 'The value is a secret and is not shown.' }),
  is_default: Type.Boolean(),
  default: AnyJson,
  value_schema: Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
    description: 'JSON Schema of the value',
  }),
  scope: oneOf('platform', 'tenant', 'both'),
  source: oneOf('default', 'file', 'env', 'platform', 'tenant'),
  fixed_by: nullable(Type.String({ maxLength: 100, description: 'Name in the environment that fixes the value' })),
  secret: Type.Boolean(),
  digest: nullable(
    Type.String({ maxLength: 64, description: 'Keyed digest of a secret; equal secrets have equal ones' }),
  ),
  restart_required: Type.Boolean(),
  dangerous: Type.Boolean({ description: 'A change needs fresh authentication' }),
  description: Type.String({ maxLength: 1000 }),
  version: Type.Integer({ minimum: 0, description: 'Revision that set the value; 0 where it was never set' }),
  updated_by: nullable(Uuid),
  updated_at: nullable(Timestamp),
})
export type ConfigEntry = Static<typeof ConfigEntry>

export const ConfigQuery = strictObject({
  scope: Type.Optional(ChangeScope),
  prefix: Type.Optional(Type.String({ minLength: 1, maxLength: 160 })),
  key: Type.Optional(Type.String({ minLength: 1, maxLength: 160 })),
  only_overridden: Type.Optional(Type.Boolean()),
})
export type ConfigQuery = Static<typeof ConfigQuery>

export const PatchConfig = strictObject({
  scope: Type.Optional(ChangeScope),
  values: Type.Optional(
    Type.Record(SettingKey, Type.Unknown(), {
      maxProperties: 100,
      description: 'New values by key; null takes the value of this layer away.',
    }),
  ),
  rollback_to: Type.Optional(Uuid),
  comment: Type.String({ minLength: 1, maxLength: 500 }),
  dry_run: Type.Optional(Type.Boolean()),
})
export type PatchConfig = Static<typeof PatchConfig>

/** Null where the layer has no value; `{ digest }` where it is a secret. */
const Side = Type.Unknown()

export const ChangeEntry = strictObject({
  key: SettingKey,
  secret: Type.Boolean(),
  before: Side,
  after: Side,
})
export type ChangeEntry = Static<typeof ChangeEntry>

export const ConfigNode = strictObject({
  node: Type.String({ maxLength: 300 }),
  version: Type.Integer({ minimum: 0, description: 'Revision of the settings that the instance runs with' }),
})
export type ConfigNode = Static<typeof ConfigNode>

const changeFields = {
  scope: ChangeScope,
  tenant_id: nullable(Uuid),
  version: Type.Integer({ minimum: 0 }),
  comment: Type.String({ maxLength: 500 }),
  author: Uuid,
  origin: ChangeOrigin,
  entries: Type.Array(ChangeEntry, { maxItems: 100 }),
  rolled_back_by: nullable(Uuid),
  created_at: Timestamp,
  nodes: Type.Array(ConfigNode, {
    maxItems: 1000,
    description: 'The instances of now: one whose version is at least that of the change runs with it.',
  }),
}

export const ChangeSet = strictObject({ id: Uuid, ...changeFields })
export type ChangeSet = Static<typeof ChangeSet>

export const AppliedChange = strictObject({
  id: nullable(Uuid),
  ...changeFields,
  dry_run: Type.Boolean(),
  restart_required: Type.Array(SettingKey, { maxItems: 100, description: 'Settings that count after a restart only' }),
})
export type AppliedChange = Static<typeof AppliedChange>

export const ChangeFilter = strictObject({
  scope: Type.Optional(ChangeScope),
  key: Type.Optional(Type.String({ minLength: 1, maxLength: 160 })),
  author: Type.Optional(Uuid),
  since: Type.Optional(Timestamp),
  origin: Type.Optional(ChangeOrigin),
})
export type ChangeFilter = Static<typeof ChangeFilter>
