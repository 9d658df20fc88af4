import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, strictObject, Uuid } from '../../../kernel/schema/types.ts'

export const vaultRevealed = defineEvent({
  channel: 'gateway.vault.revealed',
  type: 'VaultRevealed',
  summary: 'Somebody was shown values behind placeholders.',
  schema: strictObject({
    request_id: Type.String({ maxLength: 64 }),
    log_id: Uuid,
    entity_types: Type.Array(Type.String({ maxLength: 64 })),
    count: Type.Integer({ minimum: 1 }),
    by: Uuid,
    approved_by: nullable(Uuid),
    reason: Type.String({ maxLength: 500 }),
  }),
})
