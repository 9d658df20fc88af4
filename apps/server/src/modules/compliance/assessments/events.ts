import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { types } from './schema.ts'

const Percent = nullable(Type.Number({ minimum: 0, maximum: 100 }))

export const assessmentCompleted = defineEvent({
  channel: 'compliance.assessment.completed',
  type: 'AssessmentCompleted',
  summary: 'An assessment was approved, or made from checks alone, and does not change any more.',
  schema: strictObject({
    assessment_id: Uuid,
    type: oneOf(...types),
    framework_keys: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 }),
    scope: Type.String({ maxLength: 200 }),
    agent_id: nullable(Type.String({ maxLength: 100 })),
    score: Percent,
    score_possible: Percent,
    coverage: nullable(Type.Number({ minimum: 0, maximum: 1 })),
    tiers: Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20 }),
    previous_id: nullable(Uuid),
    approver_id: nullable(Uuid),
    snapshot_sha256: Type.String({ maxLength: 64 }),
  }),
  retentionDays: 365,
})
