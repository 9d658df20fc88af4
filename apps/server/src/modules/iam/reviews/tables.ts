import Type from 'typebox'
import { table } from '../../../kernel/db/table.ts'
import { nullable, oneOf, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { noAnswers, outcomes, ReviewScope, recommendations, reviewStatuses } from './schema.ts'

export const accessReviews = table({
  name: 'iam_access_review',
  noun: 'access review',
  dueBy: ['status', 'due_at'],
  sorts: ['created_at', 'due_at'],
  row: Type.Object({
    tenant_id: Uuid,
    id: Uuid,
    name: Type.String(),
    scope: ReviewScope,
    reviewer_rule: Type.String(),
    due_at: Timestamp,
    on_no_answer: oneOf(...noAnswers),
    status: oneOf(...reviewStatuses),
    /** On whose authority decisions take effect. */
    opened_by: Uuid,
    opened_by_tenant: Uuid,
    closed_at: nullable(Timestamp),
    closed_by: nullable(Uuid),
    result_digest: nullable(Type.String()),
    result_kid: nullable(Type.String()),
    result_signature: nullable(Type.String()),
    /** Opened because none was for as long as the tenant says. */
    recurring: Type.Boolean(),
    reminded_at: nullable(Timestamp),
    version: Type.Integer(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  data: {
    category: 'access_review',
    subject: ['opened_by', 'closed_by'],
    retention: 'tenant',
    erasure: 'keep_pseudonymous',
  },
})
export type ReviewRow = NonNullable<Awaited<ReturnType<typeof accessReviews.get>>>

/** Each person's access when the review was opened, and its decision. Ids only: names are looked up when shown. */
export const reviewItems = table({
  name: 'iam_access_review_item',
  noun: 'review item',
  row: Type.Object({
    tenant_id: Uuid,
    id: Uuid,
    review_id: Uuid,
    /** The person whose access it is: for a key its owner. */
    user_id: Uuid,
    role_id: nullable(Uuid),
    key_id: nullable(Uuid),
    grant_name: Type.String(),
    granted_at: Timestamp,
    granted_by: nullable(Uuid),
    last_used_at: nullable(Timestamp),
    recommendation: oneOf(...recommendations),
    recommended_because: Type.String(),
    reviewer_id: nullable(Uuid),
    decision: nullable(oneOf('keep', 'revoke', 'suspend')),
    decided_by: nullable(Uuid),
    decided_at: nullable(Timestamp),
    reason: nullable(Type.String()),
    outcome: nullable(oneOf(...outcomes)),
  }),
  data: {
    category: 'access_review',
    subject: ['user_id', 'granted_by', 'reviewer_id', 'decided_by'],
    retention: 'tenant',
    erasure: 'keep_pseudonymous',
  },
})
export type ItemRow = NonNullable<Awaited<ReturnType<typeof reviewItems.get>>>

export const reviewTables = [accessReviews, reviewItems] as const
