import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'

const opt = Type.Optional
const RuleId = Type.String({ minLength: 1, maxLength: 128 })

export const verdicts = ['true_positive', 'false_positive', 'missed'] as const

export const Feedback = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  created_at: Timestamp,
  updated_at: Timestamp,
  request_id: Uuid,
  user_id: Uuid,
  kind: oneOf('answer', 'detection'),
  rating: nullable(Type.Number({ minimum: -1, maximum: 1 })),
  verdict: nullable(oneOf(...verdicts)),
  rule_id: nullable(RuleId),
  comment: nullable(Type.String({ maxLength: 4000 })),
})
export type Feedback = Static<typeof Feedback>

export const NewFeedback = strictObject({
  kind: oneOf('answer', 'detection'),
  rating: opt(Type.Number({ minimum: -1, maximum: 1, description: 'Of an answer.' })),
  verdict: opt(Type.Unsafe<(typeof verdicts)[number]>({ ...oneOf(...verdicts), description: 'Of a detection.' })),
  rule_id: opt(RuleId),
  comment: opt(Type.String({ maxLength: 4000 })),
})
export type NewFeedback = Static<typeof NewFeedback>

export const FeedbackRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  request_id: Uuid,
  user_id: Uuid,
  kind: Feedback.properties.kind,
  rating: Feedback.properties.rating,
  verdict: Feedback.properties.verdict,
  rule_id: Feedback.properties.rule_id,
  comment: Feedback.properties.comment,
  created_at: Timestamp,
})
export type FeedbackRow = Static<typeof FeedbackRow>

/** How often a rule was right, by the last word of each person on each call. */
export const RulePrecision = strictObject({
  rule_id: RuleId,
  true_positives: Type.Integer({ minimum: 0 }),
  false_positives: Type.Integer({ minimum: 0 }),
  missed: Type.Integer({ minimum: 0 }),
  precision: nullable(Type.Number({ minimum: 0, maximum: 1, description: 'Null without a verdict on a hit.' })),
})
export type RulePrecision = Static<typeof RulePrecision>
