import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { requestTypes } from '../declared/retention-schema.ts'

export const holdChanged = defineEvent({
  channel: 'data_gov.hold.changed',
  type: 'HoldChanged',
  summary: 'A legal hold was placed or released.',
  schema: strictObject({
    policy_id: Uuid,
    matter: Type.String({ maxLength: 200 }),
    status: oneOf('active', 'released'),
  }),
  retentionDays: 365,
})

export const deadlineWarned = defineEvent({
  channel: 'data_gov.request.deadline_warned',
  type: 'RequestDeadlineWarned',
  summary: 'A request of a data subject is due within 7 days, or overdue.',
  schema: strictObject({
    run_id: Uuid,
    request_type: oneOf(...requestTypes),
    due_at: Timestamp,
    days_left: Type.Integer(),
  }),
  retentionDays: 90,
})

export const erasureCompleted = defineEvent({
  channel: 'data_gov.erasure.completed',
  type: 'ErasureCompleted',
  summary: 'Data of a person was erased and searched for again; the certificate has the counts.',
  schema: strictObject({
    run_id: Uuid,
    status: oneOf('completed', 'partial'),
    erased: Type.Integer({ minimum: 0 }),
    retained: Type.Integer({ minimum: 0 }),
    certificate_sha256: Type.String({ maxLength: 64 }),
  }),
  retentionDays: 365,
})
