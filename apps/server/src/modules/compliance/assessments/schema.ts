import Type, { type Static } from 'typebox'
import { listed, nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { Answers, Classification } from '../ai-act/schema.ts'
import { timetableNames } from '../catalogs/timetables.ts'
import { Score } from '../declared/framework-schema.ts'
import { gradings, results } from '../scoring/words.ts'
import { actions, statuses } from './states.ts'

export const types = ['framework', 'automated', 'ai_act_classification'] as const
const Name = Type.String({ minLength: 1, maxLength: 200 })
const Reason = Type.String({ minLength: 1, maxLength: 2000 })
const Note = Type.String({ maxLength: 4000 })
const Share = Type.Number({ minimum: 0, maximum: 1 })
const Ids = Type.Array(Uuid, { maxItems: 20 })
const AgentId = Type.String({ minLength: 1, maxLength: 100 })
export const Scope = Type.String({ minLength: 1, maxLength: 200, description: 'Organization, business unit or system' })

export const FrameworkScores = strictObject({
  frameworks: Type.Array(strictObject({ framework_id: Uuid, key: Type.String({ maxLength: 100 }), score: Score })),
})
export type FrameworkScores = Static<typeof FrameworkScores>

const fields = {
  name: Name,
  type: oneOf(...types),
  status: oneOf(...statuses),
  framework_ids: Ids,
  scope: Scope,
  agent_id: nullable(AgentId),
  agent_sha256: nullable(
    Type.String({ maxLength: 64, description: 'Of the registration of the agent when the assessment was made' }),
  ),
  period_start: nullable(Timestamp),
  period_end: nullable(Timestamp),
  assessor_ids: Ids,
  approver_id: nullable(Uuid),
  created_by: nullable(Uuid),
  submitted_by: nullable(Uuid),
  submitted_at: nullable(Timestamp),
  timetable: oneOf(...timetableNames),
  classification: nullable(Classification),
  scores: nullable(FrameworkScores),
  reason: nullable(Reason),
  previous_id: nullable(Uuid),
  snapshot_sha256: nullable(Type.String({ maxLength: 64 })),
  snapshot_id: nullable(Uuid),
  due_at: nullable(Timestamp),
  completed_at: nullable(Timestamp),
}

export const AssessmentRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  ...fields,
  answers: Answers,
})
export type AssessmentRow = Static<typeof AssessmentRow>

export const ResultRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp, updated_at: Timestamp },
  assessment_id: Uuid,
  control_id: Uuid,
  result: oneOf(...results),
  share: nullable(Share),
  grading: nullable(oneOf(...gradings)),
  note: nullable(Note),
  source: oneOf('person', 'check', 'suggestion'),
  evidence_ids: Ids,
})
export type ResultRow = Static<typeof ResultRow>

const Progress = strictObject({
  controls: Type.Integer({ minimum: 0 }),
  assessed: Type.Integer({ minimum: 0 }),
})
export const ListedAssessment = listed(resource({ ...fields, progress: Progress }))
export type ListedAssessment = Static<typeof ListedAssessment>

const ShownResult = strictObject({
  control_id: Uuid,
  framework_id: Uuid,
  ref: Type.String({ maxLength: 250 }),
  title: Type.String({ maxLength: 500 }),
  result: oneOf(...results),
  share: nullable(Share),
  grading: nullable(oneOf(...gradings)),
  note: nullable(Note),
  source: oneOf('person', 'check', 'suggestion'),
  evidence_ids: Ids,
})
export type ShownResult = Static<typeof ShownResult>

const Applicability = strictObject({
  ref: Type.String({ maxLength: 250 }),
  title: Type.String({ maxLength: 500 }),
  applicable: Type.Boolean(),
  justification: nullable(Type.String({ maxLength: 4000 })),
  implementation_status: Type.String({ maxLength: 40 }),
})
export const Assessment = resource({
  ...fields,
  progress: Progress,
  answers: Answers,
  results: Type.Optional(Type.Array(ShownResult)),
  soa: Type.Optional(Type.Array(Applicability)),
})
export type Assessment = Static<typeof Assessment>

export const AssessmentFilter = strictObject({
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  type: Type.Optional(oneOf(...types)),
  status: Type.Optional(oneOf(...statuses)),
  framework_id: Type.Optional(Uuid),
  agent_id: Type.Optional(AgentId),
  completed_after: Type.Optional(Timestamp),
  due_before: Type.Optional(Timestamp),
})
export type AssessmentFilter = Static<typeof AssessmentFilter>

export const NewAssessment = strictObject({
  type: oneOf(...types),
  name: Name,
  framework_ids: Type.Optional(Ids),
  scope: Type.Optional(Scope),
  agent_id: Type.Optional(AgentId),
  period_start: Type.Optional(Timestamp),
  period_end: Type.Optional(Timestamp),
  assessor_ids: Type.Optional(Ids),
  approver_id: Type.Optional(Uuid),
  previous_id: Type.Optional(
    Type.String({ format: 'uuid', maxLength: 36, description: 'Carries its results as suggestions' }),
  ),
  answers: Type.Optional(Answers),
  timetable: Type.Optional(oneOf(...timetableNames)),
  due_at: Type.Optional(Timestamp),
  dry_run: Type.Optional(Type.Boolean({ description: 'Of a classification: answers without storing it' })),
})
export type NewAssessment = Static<typeof NewAssessment>

const SetResult = strictObject({
  control_id: Uuid,
  result: oneOf(...results),
  share: Type.Optional(Share),
  grading: Type.Optional(nullable(oneOf(...gradings))),
  note: Type.Optional(Note),
  evidence_ids: Type.Optional(Ids),
})
export type SetResult = Static<typeof SetResult>

export const PatchAssessment = strictObject({
  action: Type.Optional(oneOf(...actions)),
  reason: Type.Optional(Reason),
  results: Type.Optional(Type.Array(SetResult, { maxItems: 2000 })),
  answers: Type.Optional(Answers),
  name: Type.Optional(Name),
  scope: Type.Optional(Scope),
  framework_ids: Type.Optional(Ids),
  assessor_ids: Type.Optional(Ids),
  approver_id: Type.Optional(Uuid),
  due_at: Type.Optional(nullable(Timestamp)),
})
export type PatchAssessment = Static<typeof PatchAssessment>

export const formats = ['oscal-ar', 'oscal-poam', 'csv', 'pdf', 'bundle'] as const
export type AssessmentFormat = (typeof formats)[number]
