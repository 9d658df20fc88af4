/** A chaos experiment as it is asked for, stored and shown. */
import Type, { type Static } from 'typebox'
import { nullable, oneOf, Slug, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { FaultBody, Probe } from './scenario-schema.ts'

export const modes = ['dry_run', 'automated', 'scheduled'] as const
export const scopes = ['live', 'synthetic'] as const
export const statuses = [
  'pending_approval',
  'scheduled',
  'ready',
  'checking',
  'injecting',
  'recovering',
  'completed',
  'failed',
  'aborted',
] as const
export type Status = (typeof statuses)[number]
export const experimentVerdicts = ['hypothesis_met', 'deviated', 'inconclusive'] as const

const BlastRadius = strictObject({
  percentage: Type.Number({ exclusiveMinimum: 0, minimum: 0, maximum: 100 }),
  max_affected_calls: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
})

const Schedule = strictObject({
  cron: Type.String({ minLength: 1, maxLength: 100, description: 'Five fields: minute, hour, day, month, weekday' }),
  time_zone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA name' }),
})

export const NewExperiment = strictObject({
  scenario_id: Uuid,
  mode: oneOf(...modes),
  scope: Type.Optional({
    ...oneOf(...scopes),
    description:
      '`synthetic`: faults meet calls that the experiment makes itself, through the offline provider, and no others',
  }),
  schedule: Type.Optional({ ...Schedule, description: 'Of the mode scheduled; each run is an experiment of its own' }),
  blast_radius: BlastRadius,
  ttl_seconds: Type.Integer({ minimum: 1, maximum: 3600 }),
  services: Type.Optional(
    Type.Array(Slug, {
      maxItems: 20,
      uniqueItems: true,
      description: 'Services of the model whose recovery the experiment measures',
    }),
  ),
  guards: Type.Optional(
    Type.Array(Probe, { maxItems: 10, description: 'Abort the experiment when breached, beside the hypothesis' }),
  ),
  seed: Type.Optional(Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' })),
})
export type NewExperiment = Static<typeof NewExperiment>

export const actions = ['abort', 'approve', 'finish', 'engage_lever', 'release_lever'] as const
export const ExperimentAction = strictObject({
  action: oneOf(...actions),
  scope: Type.Optional(oneOf('tenant', 'platform')),
  note: Type.Optional(Type.String({ maxLength: 1000 })),
})
export type ExperimentAction = Static<typeof ExperimentAction>

const Count = Type.Integer({ minimum: 0 })
const Value = Type.Number()

const Expected = strictObject({
  matching_calls_last_hour: nullable(Count),
  expected_affected_calls: nullable(Count),
  approvals_needed: Count,
  targets: Type.Array(strictObject({ target: Type.String({ maxLength: 520 }), calls: Count }), { maxItems: 100 }),
  predicted: Type.Array(
    strictObject({
      service: Slug,
      rto_p50_minutes: nullable(Value),
      rto_p95_minutes: nullable(Value),
      p_within: nullable(Value),
    }),
  ),
})
export type Expected = Static<typeof Expected>

const Checks = strictObject({ met: Count, total: Count })

const Measured = strictObject({
  rto_minutes: nullable(
    Type.Number({ description: 'From the first breach of the hypothesis to its return; 0 without a breach' }),
  ),
  rpo_minutes: nullable(Value),
  recovery_ms: nullable(Type.Number({ description: 'From the end of the faults to the return of the steady state' })),
})

/** Prediction and measurement of one service side by side. */
const Compared = strictObject({
  service: Slug,
  rto_p50_minutes: nullable(Value),
  rto_p95_minutes: nullable(Value),
  p_within: nullable(Value),
  measured_rto_minutes: nullable(Value),
  within_p95: nullable(
    Type.Boolean({ description: 'Whether the measured recovery is within the predicted 95 % quantile' }),
  ),
})
export type Compared = Static<typeof Compared>

export const JournalEntry = strictObject({
  seq: Count,
  at: Timestamp,
  kind: Type.String({ maxLength: 40 }),
  data: Type.Record(Type.String({ maxLength: 100 }), Type.Unknown()),
})
export type JournalEntry = Static<typeof JournalEntry>

export const ExperimentRow = strictObject({
  tenant_id: Uuid,
  id: Uuid,
  version: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
  scenario_id: Uuid,
  mode: oneOf(...modes),
  scope: oneOf(...scopes),
  schedule: nullable(Schedule),
  scheduled_by: nullable({ ...Uuid, description: 'The scheduled experiment that this is a run of' }),
  status: oneOf(...statuses),
  verdict: nullable(oneOf(...experimentVerdicts)),
  blast_radius: BlastRadius,
  faults: Type.Array(FaultBody),
  probes: Type.Array(Probe),
  guards: Type.Array(Probe),
  services: Type.Array(Slug),
  ttl_seconds: Type.Integer(),
  seed: Type.String(),
  criticality: Type.Integer(),
  abort_cause: nullable(Type.String({ maxLength: 300 })),
  stop_wanted: Type.Boolean(),
  affected_calls: Count,
  claimed_calls: Count,
  expected: Expected,
  checks: Checks,
  measured: nullable(Measured),
  created_by: Uuid,
  approved_by: nullable(Uuid),
  started_at: nullable(Timestamp),
  injected_at: nullable(Timestamp),
  finished_at: nullable(Timestamp),
})
export type ExperimentRow = Static<typeof ExperimentRow>

const { version: _v, stop_wanted: _s, claimed_calls: _c, criticality: _k, ...shown } = ExperimentRow.properties
/** Null is one of the words: the answer is one of two forms, which a serializer tells apart by its schema. */
const Verdict = Type.Unsafe<ExperimentRow['verdict']>({ enum: [...experimentVerdicts, null] })
export const Experiment = strictObject({
  ...shown,
  verdict: Verdict,
  next_run_at: nullable({ ...Timestamp, description: 'Of a scheduled one' }),
  compared: Type.Array(Compared),
  journal: Type.Array(JournalEntry),
})
export type Experiment = Static<typeof Experiment>

/** All experiments that run now, and the safety lever. */
export const ActiveExperiments = strictObject({
  lever: strictObject({ tenant: Type.Boolean(), platform: Type.Boolean() }),
  experiments: Type.Array(Experiment),
})
export type ActiveExperiments = Static<typeof ActiveExperiments>
