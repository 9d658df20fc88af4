import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { approvalStatuses } from './states.ts'

const call = {
  approval_id: Uuid,
  agent_id: Uuid,
  user_id: nullable(Uuid),
  session_id: nullable(Uuid),
  server: Type.String({ maxLength: 256 }),
  tool: Type.String({ maxLength: 256 }),
  guardrail_id: nullable(Uuid),
  risk_tier: Type.Integer({ minimum: 1, maximum: 4 }),
}

export const approvalRequested = defineEvent({
  channel: 'aegis.approval.requested',
  type: 'ApprovalRequested',
  summary: 'A tool call of an agent is held until people decide about it.',
  schema: strictObject({
    ...call,
    required_approvals: Type.Integer({ minimum: 1, maximum: 3 }),
    expires_at: Timestamp,
  }),
  retentionDays: 90,
})

export const approvalDecided = defineEvent({
  channel: 'aegis.approval.decided',
  type: 'ApprovalDecided',
  summary: 'A held tool call was approved or denied, or its time is over.',
  schema: strictObject({
    ...call,
    decision: oneOf(...approvalStatuses.filter((status) => status !== 'pending' && status !== 'consumed')),
    by: nullable(Uuid),
    waited_seconds: Type.Number({ minimum: 0 }),
  }),
  retentionDays: 90,
})
