import { defineEvent } from '../../kernel/events/catalogue/catalogue.ts'
import { oneOf, strictObject, Uuid } from '../../kernel/schema/types.ts'
import { Grade, PillarPoints, Points, Share, Trend, triggers } from './schemas.ts'

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
  }),
  retentionDays,
})
