import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { Score } from '../declared/schemas.ts'
import { DecayConfig } from '../engine/config.ts'

const configParts = {
  ...DecayConfig.properties,
  status: oneOf('active', 'superseded'),
  created_at: Timestamp,
  created_by: nullable(Uuid),
}

export const ConfigView = strictObject(configParts)
export type ConfigView = Static<typeof ConfigView>

export const ChangedConfig = strictObject({
  ...configParts,
  effect: strictObject(
    { before: Score, after: Score },
    { description: 'The score with the version before and with this one.' },
  ),
})
export type ChangedConfig = Static<typeof ChangedConfig>

export const ConfigQuery = strictObject({
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
})
export const ChangeQuery = strictObject({ dry_run: Type.Optional(Type.Boolean()) })
