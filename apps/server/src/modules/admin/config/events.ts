import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { ChangeScope, SettingKey } from './schemas.ts'

export const configChanged = defineEvent({
  channel: 'admin.config.changed',
  type: 'ConfigChanged',
  summary: 'Settings were changed together. Names their keys, never their values.',
  schema: strictObject({
    change_id: Uuid,
    scope: ChangeScope,
    keys: Type.Array(SettingKey, { maxItems: 100 }),
  }),
  retentionDays: 90,
})
