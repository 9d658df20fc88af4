import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { managers, userStatuses } from '../schemas/user-states.ts'

export const reviewStatuses = ['draft', 'open', 'closed', 'cancelled'] as const
export const noAnswers = ['revoke', 'keep', 'suspend'] as const
export const recommendations = ['keep', 'revoke'] as const
export const outcomes = ['kept', 'revoked', 'suspended', 'already_gone', 'refused'] as const

export const ReviewScope = strictObject({
  role_ids: Type.Optional(
    Type.Array(Uuid, { minItems: 1, maxItems: 50, uniqueItems: true, description: 'Default: all roles' }),
  ),
  user_filter: Type.Optional(
    strictObject({
      status: Type.Optional(oneOf(...userStatuses)),
      department: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      managed_by: Type.Optional(oneOf(...managers)),
    }),
  ),
  include_api_keys: Type.Optional(Type.Boolean({ description: 'Also the keys of these people' })),
})
export type ReviewScope = Static<typeof ReviewScope>

const fields = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  reviewer_rule: Type.String({
    pattern: '^(manager|role_owner|user:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$',
    maxLength: 41,
    description:
      '`manager`, `role_owner` (of a key the manager), or `user:` and an id. A reviewer who is missing or would review their own access is replaced by the person who opened the review.',
  }),
}

export const AccessReview = resource({
  name: fields.name,
  scope: ReviewScope,
  reviewer_rule: Type.String({ maxLength: 41 }),
  due_at: Timestamp,
  on_no_answer: oneOf(...noAnswers),
  status: oneOf(...reviewStatuses),
  opened_by: Uuid,
  closed_at: nullable(Timestamp),
  closed_by: nullable(Uuid),
  recurring: Type.Boolean({ description: 'Opened by `review_every_days`' }),
  reminded_at: nullable(Timestamp),
  counts: strictObject({
    items: Type.Integer(),
    undecided: Type.Integer(),
    kept: Type.Integer(),
    revoked: Type.Integer(),
  }),
  result_digest: nullable(
    Type.String({ maxLength: 64, description: 'SHA-256 of the canonical JSON (RFC 8785) of the result' }),
  ),
  result_kid: nullable(Type.String({ maxLength: 100, description: 'Checkpoint key that signed the digest' })),
  result_signature: nullable(
    Type.String({
      maxLength: 100,
      description: 'Ed25519 over `parapet/access-review`, a line feed and the digest, base64url',
    }),
  ),
})
export type AccessReview = Static<typeof AccessReview>

export const ReviewItem = strictObject({
  id: Uuid,
  user_id: Uuid,
  subject: strictObject({ type: oneOf('user', 'api_key'), id: Uuid, name: nullable(Type.String()) }),
  grant: strictObject({ role_id: nullable(Uuid), api_key_id: nullable(Uuid), name: Type.String() }),
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
})
export type ReviewItem = Static<typeof ReviewItem>

export const ReviewWithItems = strictObject({ ...AccessReview.properties, items: Type.Array(ReviewItem) })

export const Applied = strictObject({
  decided: Type.Integer(),
  revoked: Type.Integer(),
  reassigned: Type.Integer(),
})
export type Applied = Static<typeof Applied>

export const ChangedReview = strictObject({ ...AccessReview.properties, applied: Applied })

export const CreateReview = strictObject({
  name: fields.name,
  scope: Type.Optional(ReviewScope),
  reviewer_rule: fields.reviewer_rule,
  due_at: Timestamp,
  on_no_answer: oneOf(...noAnswers),
  status: Type.Optional(
    Type.Unsafe<'draft' | 'open'>({
      type: 'string',
      enum: ['draft', 'open'],
      description: 'Default `open`; a draft has no items until it is opened',
    }),
  ),
})
export type CreateReview = Static<typeof CreateReview>

export const PatchReview = strictObject({
  name: Type.Optional(fields.name),
  due_at: Type.Optional(Timestamp),
  scope: Type.Optional(ReviewScope),
  reviewer_rule: Type.Optional(fields.reviewer_rule),
  on_no_answer: Type.Optional(oneOf(...noAnswers)),
  decisions: Type.Optional(
    Type.Array(
      strictObject({
        item_id: Uuid,
        decision: oneOf('keep', 'revoke'),
        reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
      }),
      { minItems: 1, maxItems: 200 },
    ),
  ),
  reassign: Type.Optional(
    Type.Array(strictObject({ item_id: Uuid, reviewer_id: Uuid }), { minItems: 1, maxItems: 200 }),
  ),
  status: Type.Optional(oneOf('open', 'closed', 'cancelled')),
})
export type PatchReview = Static<typeof PatchReview>

export const ReviewFilter = strictObject({
  status: Type.Optional(oneOf(...reviewStatuses)),
  due_before: Type.Optional(Timestamp),
})
export type ReviewFilter = Static<typeof ReviewFilter>

export const ItemQuery = strictObject({
  decision: Type.Optional(oneOf('keep', 'revoke', 'suspend', 'none')),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 50' })),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'From the page before' })),
})
export type ItemQuery = Static<typeof ItemQuery>
