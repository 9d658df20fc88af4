import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { kriStatuses } from '../scoring/kri.ts'
import { states } from '../scoring/states.ts'
import { levels, ratings } from '../scoring/words.ts'

const Score = Type.Number({ minimum: 0, maximum: 100 })

export const scoreChanged = defineEvent({
  channel: 'risk.score.changed',
  type: 'ScoreChanged',
  summary: 'The rating of a risk changed, or its score moved by at least 1.',
  schema: strictObject({
    risk_id: Uuid,
    reference: Type.String({ maxLength: 12 }),
    title: Type.String({ maxLength: 200 }),
    previous_score: nullable(Score),
    score: Score,
    previous_rating: nullable(oneOf(...ratings)),
    rating: oneOf(...ratings),
    level: oneOf(...levels),
    var95: nullable(Type.Number({ minimum: 0 })),
    above_tolerance: Type.Boolean(),
    cause: oneOf('analysis', 'qualitative', 'kri', 'threat_update'),
    analysis_id: nullable(Uuid),
  }),
  retentionDays: 90,
})

export const statusChanged = defineEvent({
  channel: 'risk.status.changed',
  type: 'StatusChanged',
  summary: 'A risk moved to another state, by a person or by itself.',
  schema: strictObject({
    risk_id: Uuid,
    from: oneOf(...states),
    to: oneOf(...states),
    by: nullable(Uuid),
    reason: nullable(Type.String({ maxLength: 2000 })),
  }),
  retentionDays: 90,
})

export const kriBreached = defineEvent({
  channel: 'risk.kri.breached',
  type: 'KriBreached',
  summary: 'A key risk indicator reached its amber or red threshold.',
  schema: strictObject({
    risk_id: Uuid,
    kri_id: Uuid,
    name: Type.String({ maxLength: 200 }),
    value: Type.Number(),
    threshold: Type.Number(),
    level: oneOf(...kriStatuses),
  }),
  retentionDays: 90,
})

export const deadlineMissed = defineEvent({
  channel: 'risk.treatment.deadline_missed',
  type: 'TreatmentDeadlineMissed',
  summary: 'An action of a treatment was still open when its deadline passed.',
  schema: strictObject({ risk_id: Uuid, action_id: Uuid, due_at: Timestamp, owner_id: nullable(Uuid) }),
  retentionDays: 90,
})
