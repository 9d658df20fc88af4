import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

const expiry = strictObject({
  evidence_id: Uuid,
  control_ids: Type.Array(Uuid, { maxItems: 1000 }),
  valid_until: Timestamp,
  owner_user_id: nullable(Uuid),
})

export const expiryWarned = defineEvent({
  channel: 'compliance.evidence.expiry_warned',
  type: 'EvidenceExpiryWarned',
  summary: 'Evidence expires within 30, 7 or 1 days.',
  schema: expiry,
  retentionDays: 90,
})

export const evidenceExpired = defineEvent({
  channel: 'compliance.evidence.expired',
  type: 'EvidenceExpired',
  summary: 'Evidence is past its validity.',
  schema: expiry,
  retentionDays: 90,
})

export const integrityFailed = defineEvent({
  channel: 'compliance.integrity.failed',
  type: 'IntegrityFailed',
  summary: 'The chain of evidence does not follow at this place, or stored content lost its digest.',
  schema: strictObject({ seq: Type.Integer({ minimum: 0 }), evidence_id: nullable(Uuid) }),
  retentionDays: 365,
})
