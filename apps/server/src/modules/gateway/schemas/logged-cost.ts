import Type from 'typebox'
import { nullable, strictObject } from '../../../kernel/schema/types.ts'
import { Cost } from './chat-schema.ts'

/**
 * The cost of a logged call, with the version of its price and the amount saved by the cache; calls logged before there
 * were prices have neither.
 */
export const LoggedCost = strictObject({
  ...Cost.properties,
  price_id: Type.Optional(nullable(Type.String({ maxLength: 400 }))),
  budgeted: Type.Optional(Type.Boolean({ description: 'Under a hard budget.' })),
  saved: Type.Optional(nullable(Type.String({ maxLength: 40, description: 'Decimal.' }))),
})
