import Type, { type Static } from 'typebox'
import { oneOf, strictObject } from '../../../../kernel/schema/types.ts'
import { severities } from './words.ts'

/** Something in a definition that a person should look at. */
export const Finding = strictObject({
  family: Type.String({ maxLength: 64 }),
  severity: oneOf(...severities),
  score: Type.Number({ minimum: 0, maximum: 1 }),
  tool: Type.String({
    maxLength: 256,
    description: 'Empty for the server’s own texts and for texts joined over tools',
  }),
  pointer: Type.String({ maxLength: 1024, description: 'JSON Pointer into the definition' }),
  excerpt: Type.String({ maxLength: 200 }),
  tags: Type.Array(Type.String({ maxLength: 32 }), { maxItems: 8 }),
})
export type Finding = Static<typeof Finding>
