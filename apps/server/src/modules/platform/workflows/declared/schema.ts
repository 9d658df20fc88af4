import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, strictObject, Timestamp, Uuid } from '../../../../kernel/schema/types.ts'
import { Definition, stepTypes } from './definition.ts'

export const workflowStatuses = ['enabled', 'disabled', 'archived'] as const
const Key = Type.String({ minLength: 1, maxLength: 60, pattern: '^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$' })
const Name = Type.String({ minLength: 1, maxLength: 200 })
const Declared = Type.Array(Type.String({ maxLength: 40, pattern: '^[a-z-]+:(?:read|write|admin)$' }), {
  maxItems: 36,
  description: 'The most that a run may do, whatever its owner may',
})

const fields = {
  key: Key,
  name: Name,
  status: oneOf(...workflowStatuses),
  definition: Definition,
  declared_permissions: Declared,
  owner_id: Uuid,
}

export const WorkflowRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  ...fields,
})
export type WorkflowRow = Static<typeof WorkflowRow>

export const WorkflowVersionRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, created_at: Timestamp, workflow_id: Uuid, number: Type.Integer() },
  ...{ name: Name, status: oneOf(...workflowStatuses), definition: Definition, declared_permissions: Declared },
  created_by: Uuid,
})
export type WorkflowVersionRow = Static<typeof WorkflowVersionRow>

const Stats = strictObject({
  runs_24h: Type.Integer({ minimum: 0 }),
  failed_24h: Type.Integer({ minimum: 0 }),
  p95_ms: nullable(Type.Number({ minimum: 0 })),
})
export type Stats = Static<typeof Stats>

const Version = strictObject({
  number: Type.Integer({ minimum: 1 }),
  status: oneOf(...workflowStatuses),
  definition: Definition,
  declared_permissions: Declared,
  created_by: Uuid,
  created_at: Timestamp,
})

export const Workflow = resource({
  version: Type.Integer({ minimum: 1 }),
  ...fields,
  next_run_at: nullable(Timestamp),
  stats: Stats,
  versions: Type.Optional(Type.Array(Version)),
})
export type Workflow = Static<typeof Workflow>

export const MadeWorkflow = strictObject({
  ...Workflow.properties,
  warnings: Type.Array(Type.String({ maxLength: 500 })),
})
export type MadeWorkflow = Static<typeof MadeWorkflow>

export const NewWorkflow = strictObject({
  key: Key,
  name: Type.Optional(Name),
  definition: Type.Optional(Definition),
  declared_permissions: Type.Optional(Declared),
  status: Type.Optional(oneOf(...workflowStatuses)),
  expected_version: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
})
export type NewWorkflow = Static<typeof NewWorkflow>

export const WorkflowFilter = strictObject({
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  id: Type.Optional(Uuid),
  key: Type.Optional(Key),
  status: Type.Optional(oneOf(...workflowStatuses)),
  versions: Type.Optional(Type.Boolean()),
  recipes: Type.Optional(Type.Boolean({ description: 'Ready-made definitions, in `meta.recipes`' })),
})
export type WorkflowFilter = Static<typeof WorkflowFilter>

export const runStatuses = ['queued', 'running', 'waiting', 'completed', 'failed', 'cancelled'] as const
export const stepStatuses = ['pending', 'running', 'waiting', 'succeeded', 'failed', 'skipped'] as const

const Json = Type.Unsafe<unknown>({ jsonb: true })
const RunFault = strictObject({
  code: Type.String({ maxLength: 40 }),
  message: Type.String({ maxLength: 1_000 }),
})
export type RunFault = Static<typeof RunFault>

const RunTrigger = strictObject({
  type: oneOf('event', 'schedule', 'manual'),
  event_id: nullable(Uuid),
  channel: nullable(Type.String({ maxLength: 100 })),
  scheduled_at: nullable(Timestamp),
})

const Decision = strictObject({
  user_id: Uuid,
  decision: oneOf('approved', 'rejected'),
  comment: nullable(Type.String({ maxLength: 1_000 })),
  at: Timestamp,
})

const runFields = {
  workflow_id: Uuid,
  workflow_version: Type.Integer({ minimum: 1 }),
  trigger: RunTrigger,
  dry_run: Type.Boolean(),
  status: oneOf(...runStatuses),
  depth: Type.Integer({ minimum: 0 }),
  owner_id: Uuid,
  requested_by: nullable(Uuid),
  started_at: nullable(Timestamp),
  ended_at: nullable(Timestamp),
}

export const RunRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, version: Type.Integer(), created_at: Timestamp, updated_at: Timestamp },
  ...runFields,
  // The event id, the time of the schedule or the run's own id: one run for each.
  trigger_key: Type.String(),
  event: nullable(Json),
  input: Json,
  traceparent: nullable(Type.String()),
  // The job that makes a call outside, and until when nobody else goes on.
  lease_job: nullable(Type.String()),
  lease_until: nullable(Timestamp),
})
export type RunRow = Static<typeof RunRow>

const stepFields = {
  step_id: Type.String({ maxLength: 40 }),
  type: oneOf(...stepTypes),
  status: oneOf(...stepStatuses),
  attempts: Type.Integer({ minimum: 0 }),
  input_hash: nullable(Type.String({ maxLength: 64 })),
  error: nullable(RunFault),
  decisions: Type.Array(Decision, { maxItems: 10 }),
  waiting_until: nullable(Timestamp),
  started_at: nullable(Timestamp),
  ended_at: nullable(Timestamp),
}

export const RunStepRow = strictObject({
  ...{ id: Uuid, tenant_id: Uuid, run_id: Uuid, position: Type.Integer() },
  ...stepFields,
  output: nullable(Json),
})
export type RunStepRow = Static<typeof RunStepRow>

export const RunStep = strictObject({ ...stepFields, output: Type.Unknown() })

export const Run = resource({ ...runFields, steps: Type.Array(RunStep) })
export type Run = Static<typeof Run>

const AnyEvent = strictObject({
  channel: Type.String({ minLength: 1, maxLength: 100 }),
  subject: Type.Optional(Type.String({ maxLength: 200 })),
  data: Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: 100 }),
})
export type AnyEvent = Static<typeof AnyEvent>

export const NewRun = strictObject({
  input: Type.Optional(Type.Record(Type.String({ maxLength: 40 }), Type.Unknown(), { maxProperties: 20 })),
  event: Type.Optional(AnyEvent),
  event_id: Type.Optional(Uuid),
  dry_run: Type.Optional(Type.Boolean()),
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
})
export type NewRun = Static<typeof NewRun>

export const RunFilter = strictObject({
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Beginning of the id' })),
  status: Type.Optional(oneOf(...runStatuses)),
  run_id: Type.Optional(Uuid),
  since: Type.Optional(Timestamp),
  dry_run: Type.Optional(Type.Boolean()),
})
export type RunFilter = Static<typeof RunFilter>

export const PatchRun = strictObject({
  action: oneOf('approve', 'reject', 'cancel', 'retry'),
  step_id: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
  comment: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
})
export type PatchRun = Static<typeof PatchRun>
