import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject } from '../../../kernel/schema/types.ts'

/** Why a classifier gave no answer, in the words of its adapter. */
export const classifierFailures = [
  'not-usable',
  'unavailable',
  'resting',
  'busy',
  'timeout',
  'too-long',
  'invalid-answer',
] as const

/** Result of an outside classifier for a call. */
export const Opinion = strictObject({
  model: Type.String({ maxLength: 63 }),
  texts: Type.Integer({ minimum: 0, description: 'Texts of the call it had a say in' }),
  asked: Type.Integer({ minimum: 0, description: 'Of them sent to it; of the others it is known what it says' }),
  raised: Type.Integer({ minimum: 0, description: 'Of them given a higher score than without it' }),
  failure: nullable(oneOf(...classifierFailures)),
  ms: Type.Number({ minimum: 0 }),
})
export type Opinion = Static<typeof Opinion>
