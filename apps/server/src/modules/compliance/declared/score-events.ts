import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'

export const causeKinds = ['check', 'assessment', 'control', 'evidence'] as const
const Percent = nullable(Type.Number({ minimum: 0, maximum: 100 }))

export const scoreChanged = defineEvent({
  channel: 'compliance.score.changed',
  type: 'ScoreChanged',
  summary: 'The score of an adopted framework moved by 0.1 or more; changes within 5 seconds are one event.',
  schema: strictObject({
    framework_id: Uuid,
    framework_key: Type.String({ maxLength: 100 }),
    scope: Type.String({ maxLength: 200 }),
    score: Percent,
    previous: Percent,
    cause: strictObject({ kind: oneOf(...causeKinds), id: Type.String({ maxLength: 100 }) }),
  }),
  retentionDays: 90,
})
