import Type from 'typebox'
import { defineEvent } from '../../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../../kernel/schema/types.ts'

const ended = {
  workflow_id: Uuid,
  key: Type.String({ maxLength: 60 }),
  version: Type.Integer({ minimum: 1 }),
  run_id: Uuid,
  owner_id: Uuid,
  duration_ms: Type.Number({ minimum: 0 }),
  steps: Type.Integer({ minimum: 0 }),
}

export const workflowCompleted = defineEvent({
  channel: 'platform.workflow.completed',
  type: 'WorkflowCompleted',
  summary: 'A run of a workflow came to its end.',
  schema: strictObject(ended),
  retentionDays: 30,
})

export const workflowFailed = defineEvent({
  channel: 'platform.workflow.failed',
  type: 'WorkflowFailed',
  summary: 'A run of a workflow failed; it can be retried from the failed step.',
  schema: strictObject({
    ...ended,
    failed_step: nullable(Type.String({ maxLength: 40 })),
    error_code: nullable(Type.String({ maxLength: 40 })),
  }),
  retentionDays: 30,
})

const approval = {
  workflow_id: Uuid,
  workflow_key: Type.String({ maxLength: 60 }),
  run_id: Uuid,
  step_id: Type.String({ maxLength: 40 }),
}

export const approvalRequested = defineEvent({
  channel: 'platform.approval.requested',
  type: 'ApprovalRequested',
  summary: 'A run waits for the decision of people.',
  schema: strictObject({
    ...approval,
    title: Type.String({ maxLength: 200 }),
    approver_user_ids: Type.Array(Uuid, { maxItems: 50 }),
    approver_roles: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 10 }),
    quorum: Type.Integer({ minimum: 1 }),
    expires_at: nullable(Timestamp),
  }),
  retentionDays: 90,
})

export const approvalDecided = defineEvent({
  channel: 'platform.approval.decided',
  type: 'ApprovalDecided',
  summary: 'A person approved or rejected a step of a run.',
  schema: strictObject({
    ...approval,
    decision: oneOf('approved', 'rejected'),
    decided_by: Uuid,
    is_final: Type.Boolean(),
  }),
  retentionDays: 90,
})
