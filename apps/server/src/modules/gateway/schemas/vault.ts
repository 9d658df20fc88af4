import Type, { type Static } from 'typebox'
import { strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

const Placeholder = Type.String({ minLength: 1, maxLength: 200 })

export const Reveal = strictObject({
  request_id: Type.String({
    pattern: '^(?:req_)?[0-9a-zA-Z-]{1,64}$',
    maxLength: 68,
    description: 'Of the log row or of the HTTP request.',
  }),
  placeholders: Type.Array(Placeholder, { minItems: 1, maxItems: 50, uniqueItems: true }),
  reason: Type.String({ minLength: 10, maxLength: 500 }),
  confirm_token: Type.Optional(
    Type.String({ minLength: 1, maxLength: 512, description: 'Where two people are needed: of who asked first.' }),
  ),
})
export type Reveal = Static<typeof Reveal>

export const Revealed = strictObject({
  request_id: Uuid,
  values: Type.Array(
    strictObject({
      placeholder: Placeholder,
      entity_type: Type.String({ maxLength: 64 }),
      value: Type.String(),
    }),
  ),
  expires_at: Timestamp,
})
export type Revealed = Static<typeof Revealed>
