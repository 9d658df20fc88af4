import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, strictObject, Uuid } from '../../../kernel/schema/types.ts'

const Count = Type.Integer({ minimum: 0 })
const Edition = Type.String({ maxLength: 100 })

export const frameworkUpdated = defineEvent({
  channel: 'compliance.framework.updated',
  type: 'FrameworkUpdated',
  summary: 'A framework was imported, in a first or in a new edition.',
  schema: strictObject({
    framework_id: Uuid,
    framework_key: Type.String({ maxLength: 100 }),
    from: nullable(Edition),
    to: Edition,
    added: Count,
    changed: Count,
    withdrawn: Count,
  }),
  retentionDays: 90,
})
