import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

export const accessReviewOpened = defineEvent({
  channel: 'iam.access_review.opened',
  type: 'AccessReviewOpened',
  summary: 'A review of who has what was opened.',
  schema: strictObject({ review_id: Uuid, items: Type.Integer(), due_at: Timestamp, actor_id: Uuid }),
})

export const accessReviewClosed = defineEvent({
  channel: 'iam.access_review.closed',
  type: 'AccessReviewClosed',
  summary: 'A review of who has what was closed; its result is sealed.',
  schema: strictObject({
    review_id: Uuid,
    items: Type.Integer(),
    kept: Type.Integer(),
    revoked: Type.Integer(),
    result_digest: Type.String({ maxLength: 64 }),
    actor_id: nullable(Uuid),
  }),
})

export const accessReviewReminded = defineEvent({
  channel: 'iam.access_review.reminded',
  type: 'AccessReviewReminded',
  summary: 'A review is due soon, and its reviewers were told what they have not decided.',
  schema: strictObject({
    review_id: Uuid,
    undecided: Type.Integer(),
    reviewers: Type.Integer(),
    due_at: Timestamp,
  }),
})

export const reviewEvents = [accessReviewOpened, accessReviewReminded, accessReviewClosed] as const
