import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Timestamp } from '../../../kernel/schema/types.ts'

export const tamperDetected = defineEvent({
  channel: 'admin.audit.tamper_detected',
  type: 'AuditTamperDetected',
  summary: 'The audit log is not what was sealed.',
  schema: strictObject({
    scope: oneOf('tenant', 'platform'),
    reason: oneOf('hash', 'link', 'gap', 'truncated', 'rewritten', 'unsealed'),
    first_bad_seq: nullable(Type.Integer({ minimum: 1 })),
    checkpoint_used: nullable(Type.Integer({ minimum: 1 })),
  }),
})

export const auditVerified = defineEvent({
  channel: 'admin.audit.verified',
  type: 'AuditVerified',
  summary: 'The whole audit log was verified and is what was sealed.',
  schema: strictObject({
    scope: oneOf('tenant', 'platform'),
    began_at: Timestamp,
    entries: Type.Integer({ minimum: 0 }),
    notes: Type.Integer({ minimum: 0, description: 'Signed checkpoints that were handed in for it.' }),
    checkpoint_used: nullable(Type.Integer({ minimum: 1 })),
  }),
  retentionDays: 7,
})

export const checkpointCreated = defineEvent({
  channel: 'admin.audit.checkpoint_created',
  type: 'AuditCheckpointCreated',
  summary: 'The head of the audit log was signed and put outside.',
  schema: strictObject({ size: Type.Integer({ minimum: 1 }), head_hash: Type.String({ maxLength: 64 }) }),
  retentionDays: 7,
})

export const auditLogEvents = [tamperDetected, auditVerified, checkpointCreated]
