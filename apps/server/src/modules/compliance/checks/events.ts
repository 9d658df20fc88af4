import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { severities } from '../scoring/words.ts'

const schema = strictObject({
  check_id: Type.String({ maxLength: 100 }),
  severity: oneOf(...severities),
  population: Type.Integer({ minimum: 0 }),
  failed: Type.Integer({ minimum: 0 }),
  evidence_id: Uuid,
  first_failed_at: nullable(Timestamp),
  cause: nullable(
    strictObject({
      event_id: Uuid,
      channel: Type.String({ maxLength: 100 }),
      subject: Type.String({ maxLength: 200 }),
    }),
  ),
})

export const checkFailed = defineEvent({
  channel: 'compliance.check.failed',
  type: 'CheckFailed',
  summary: 'An automatic check did not pass, and its run before did.',
  schema,
  retentionDays: 90,
})

export const checkRecovered = defineEvent({
  channel: 'compliance.check.recovered',
  type: 'CheckRecovered',
  summary: 'An automatic check that had failed passes.',
  schema,
  retentionDays: 90,
})
