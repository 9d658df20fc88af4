import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { strictObject } from '../../../kernel/schema/types.ts'
import { Posture } from './schema.ts'

export const postureMeasured = defineEvent({
  channel: 'iam.posture.measured',
  type: 'PostureMeasured',
  summary: 'How identity stands today, in counts.',
  schema: strictObject({ day: Type.String({ maxLength: 10 }), ...Posture.properties }),
})
