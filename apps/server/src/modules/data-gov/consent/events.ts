import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { consentStates } from '../declared/consent-schema.ts'

export const consentChanged = defineEvent({
  channel: 'data_gov.consent.changed',
  type: 'ConsentChanged',
  summary: 'A person gave, refused or withdrew consent to a purpose; the person is named by a keyed id alone.',
  schema: strictObject({
    record_id: Uuid,
    subject_id: Uuid,
    purpose: Type.String({ maxLength: 100 }),
    state: oneOf(...consentStates),
  }),
  retentionDays: 365,
})
