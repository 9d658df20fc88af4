import Type from 'typebox'
import { defineEvent } from '../../../kernel/events/catalogue/catalogue.ts'
import { nullable, oneOf, strictObject, Uuid } from '../../../kernel/schema/types.ts'
import { CAP_IDS } from '../engine/caps.ts'
import { PILLAR_NAMES, SIGNAL_IDS } from '../engine/signals.ts'
import { Grade, PillarPoints, Points, PointsMoved, Share, Trend, triggers } from './schemas.ts'

const retentionDays = 90

export const scoreUpdated = defineEvent({
  channel: 'trust.score.updated',
  type: 'ScoreUpdated',
  summary: 'The trust score moved by at least 0.01, or its grade or configuration changed.',
  schema: strictObject({
    score: Points,
    grade: Grade,
    previous_score: Points,
    previous_grade: Grade,
    trend: Trend,
    pillars: PillarPoints,
    snapshot_id: Uuid,
    trigger: oneOf(...triggers),
    confidence: Share,
  }),
  conflatable: true,
  retentionDays,
})

export const gradeChanged = defineEvent({
  channel: 'trust.grade.changed',
  type: 'GradeChanged',
  summary: 'The grade moved and the score is clear of the boundary, so that a trembling score does not ring twice.',
  schema: strictObject({
    from: Grade,
    to: Grade,
    score: Points,
    direction: oneOf('up', 'down'),
    snapshot_id: Uuid,
    top_contributions: Type.Array(
      strictObject({ id: oneOf(...SIGNAL_IDS, ...CAP_IDS), pillar: oneOf(...PILLAR_NAMES), phi: PointsMoved }),
      { maxItems: 3, description: 'Signals and caps that moved the score most since the grade was announced last.' },
    ),
  }),
  retentionDays,
})

export const configChanged = defineEvent({
  channel: 'trust.config.changed',
  type: 'ConfigChanged',
  summary: 'A new version of the decay configuration is in force.',
  schema: strictObject({
    version: Type.Integer({ minimum: 1 }),
    by: nullable(Uuid),
    score_before: Points,
    score_after: Points,
  }),
  retentionDays,
})
