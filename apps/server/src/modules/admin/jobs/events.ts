import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { strictObject, Uuid } from '../../../kernel/schema/types.ts'

export const jobDeadLettered = defineEvent({
  channel: 'admin.job.dead_lettered',
  type: 'JobDeadLettered',
  summary: 'A background job failed as often as its kind allows and is not tried again by itself.',
  schema: strictObject({
    job_id: Uuid,
    kind: Type.String({ maxLength: 100 }),
    attempts: Type.Integer({ minimum: 1 }),
    error_class: Type.String({ maxLength: 100 }),
  }),
  retentionDays: 30,
})
