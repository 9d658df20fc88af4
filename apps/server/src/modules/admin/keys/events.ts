import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { RotateKeys } from './schema.ts'

export const keyRotated = defineEvent({
  channel: 'admin.key.rotated',
  type: 'KeyRotated',
  summary: 'A key was replaced by another one.',
  schema: strictObject({
    purpose: RotateKeys.properties.purpose,
    emergency: Type.Boolean(),
    actor_id: nullable(Uuid),
  }),
})

export const keyEvents = [keyRotated]
