/** The service model as it is sent, stored and shown. Durations are minutes, times between failures hours. */
import Type, { type Static, type TProperties } from 'typebox'
import { includeOf } from '../../../kernel/schema/include.ts'
import { nullable, oneOf, Slug, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { dependencyTypes, evidenceRanks, serviceKinds, stepNames, verdicts } from './words.ts'

/** 19 years in minutes: longer than any recovery, short enough for sums to stay exact. */
const most = 10_000_000
const Minutes = Type.Number({ minimum: 0, maximum: most })
const Positive = Type.Number({ exclusiveMinimum: 0, minimum: 0, maximum: most })
const law = <const T extends string, P extends TProperties>(type: T, parameters: P) =>
  strictObject({ type: Type.Literal(type), ...parameters })

export const DurationLaw = Type.Union([
  law('constant', { value: Minutes }),
  law('uniform', { low: Minutes, high: Minutes }),
  law('triangular', { low: Minutes, mode: Minutes, high: Minutes }),
  law('pert', { low: Minutes, mode: Minutes, high: Minutes }),
  law('lognormal', { mean: Positive, sd: Positive }),
  law('exponential', { mean: Positive }),
  law('weibull', { shape: Type.Number({ minimum: 0.1, maximum: 20 }), scale: Positive }),
])
export type DurationLaw = Static<typeof DurationLaw>

export const mostServices = 500

const Dependency = strictObject({
  target: Slug,
  type: oneOf(...dependencyTypes),
  group: Type.Optional(
    Type.String({ minLength: 1, maxLength: 63, description: 'Name of the redundant group of `k_of_n`' }),
  ),
  k: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Targets of the group that must be up' })),
  detection_minutes: Type.Optional(Minutes),
})

const Step = strictObject({
  step: oneOf(...stepNames),
  distribution: DurationLaw,
  team: Type.Optional(Type.String({ maxLength: 100 })),
  automatic: Type.Optional(Type.Boolean()),
})

const DataCopies = strictObject({
  interval_minutes: Positive,
  lag_minutes: Minutes,
  restore_success: Type.Number({ minimum: 0.01, maximum: 1 }),
})

const Objectives = strictObject({
  rto_minutes: Type.Optional(Positive),
  rpo_minutes: Type.Optional(Positive),
  mtpd_minutes: Type.Optional(Positive),
  availability: Type.Optional(Type.Number({ minimum: 0, maximum: 0.9999999 })),
  level: Type.Optional(
    Type.Number({ minimum: 0.5, maximum: 0.999, description: 'Share of recoveries within RTO and RPO; default 0.95' }),
  ),
})
export type Objectives = Static<typeof Objectives>

export const ServiceBody = strictObject({
  key: Slug,
  name: Type.String({ minLength: 1, maxLength: 200 }),
  kind: oneOf(...serviceKinds),
  criticality: Type.Integer({ minimum: 1, maximum: 5 }),
  dependencies: Type.Optional(Type.Array(Dependency, { maxItems: 100 })),
  failure: Type.Optional({ ...DurationLaw, description: 'Hours from start or recovery to the next failure' }),
  recovery_steps: Type.Optional(Type.Array(Step, { maxItems: 20 })),
  data: Type.Optional(DataCopies),
  objectives: Type.Optional(Objectives),
  cost_per_hour: Type.Optional(Type.Number({ minimum: 0, maximum: 1e12 })),
})
export type ServiceBody = Static<typeof ServiceBody>

const CommonCause = strictObject({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  members: Type.Array(Slug, { minItems: 1, maxItems: mostServices, uniqueItems: true }),
  interval: { ...DurationLaw, description: 'Hours between two shocks that fail all members at once' },
})

export const ModelParts = strictObject({
  services: Type.Array(ServiceBody, { maxItems: mostServices }),
  common_causes: Type.Array(CommonCause, { maxItems: 50 }),
})
export type ModelParts = Static<typeof ModelParts>

export const PatchModel = strictObject({
  mode: oneOf('replace', 'merge'),
  services: Type.Optional(Type.Array(ServiceBody, { maxItems: mostServices })),
  remove: Type.Optional(
    Type.Array(Slug, { maxItems: mostServices, uniqueItems: true, description: 'Keys of services to remove' }),
  ),
  common_causes: Type.Optional(Type.Array(CommonCause, { maxItems: 50 })),
  platform: Type.Optional(
    Type.Boolean({ description: 'Add what the running platform consists of, from its live configuration' }),
  ),
  dry_run: Type.Optional(Type.Boolean({ description: 'Answer as if, and store nothing' })),
})
export type PatchModel = Static<typeof PatchModel>

const Keys = Type.Array(Slug, { maxItems: mostServices })
export const ModelChange = strictObject({
  model_version: Type.Integer({ minimum: 0 }),
  dry_run: Type.Boolean(),
  services: Type.Integer({ minimum: 0 }),
  diff: strictObject({ added: Keys, changed: Keys, removed: Keys }),
  single_points: Type.Array(strictObject({ service: Slug, caused_by: Keys })),
  warnings: Type.Array(Type.String({ maxLength: 300 }), { maxItems: 100 }),
})
export type ModelChange = Static<typeof ModelChange>

export const ModelRow = strictObject({
  tenant_id: Uuid,
  id: Uuid,
  number: Type.Integer({ minimum: 1 }),
  services: Type.Array(ServiceBody),
  common_causes: Type.Array(CommonCause),
  cause: oneOf('seed', 'request'),
  created_by: nullable(Uuid),
  created_at: Timestamp,
})
export type ModelRow = Static<typeof ModelRow>

const Value = Type.Number()
const Probability = Type.Number({ minimum: 0, maximum: 1 })

/** One way to a figure: what a source says of RTO or RPO. */
export const Estimate = strictObject({
  evidence: oneOf(...evidenceRanks),
  age_days: Type.Number({ minimum: 0 }),
  n: nullable(Type.Integer({ minimum: 0, description: 'Recoveries behind it; null for an exact calculation' })),
  p50: Value,
  p95: Value,
  p99: Value,
  p_within: nullable(Probability),
  interval: nullable(strictObject({ low: Probability, high: Probability })),
  verdict: oneOf(...verdicts),
  further_trials: nullable(Type.Integer({ minimum: 0 })),
})
export type Estimate = Static<typeof Estimate>

/** RTO or RPO of a service in minutes: the strongest evidence, and prediction and measurement side by side. */
export const Attainment = strictObject({
  objective_minutes: nullable(Value),
  best: nullable(Estimate),
  predicted: nullable(Estimate),
  measured: nullable(Estimate),
  verdict: oneOf(...verdicts),
  decided_by: nullable(oneOf(...evidenceRanks)),
})
export type Attainment = Static<typeof Attainment>

export const Availability = strictObject({
  objective: nullable(Probability),
  predicted: nullable(Probability),
  downtime_minutes_per_year: nullable(Value),
  method: nullable(oneOf('exact', 'simulation')),
  verdict: oneOf(...verdicts),
})
export type Availability = Static<typeof Availability>

const CutSets = Type.Array(Type.Array(Type.String({ maxLength: 110 })))
const Importance = Type.Array(
  strictObject({ service: Type.String({ maxLength: 110 }), birnbaum: Value, fussell_vesely: Value }),
)

/** Figures of a service from the model alone. */
export const Prediction = strictObject({
  rto: nullable(Estimate),
  rpo: nullable(Estimate),
  availability: nullable(Probability),
  availability_method: nullable(oneOf('exact', 'simulation')),
  single_points: Type.Array(Type.String({ maxLength: 110 })),
  cut_sets: CutSets,
  importance: Importance,
})
export type Prediction = Static<typeof Prediction>

export const ServiceRow = strictObject({
  tenant_id: Uuid,
  id: Uuid,
  key: Slug,
  name: Type.String(),
  kind: oneOf(...serviceKinds),
  criticality: Type.Integer(),
  model_version: Type.Integer(),
  document: ServiceBody,
  prediction: Prediction,
  rto: Attainment,
  rpo: Attainment,
  availability: Availability,
  verdict: oneOf(...verdicts),
  single_point: Type.Boolean(),
  breached: Type.Array(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type ServiceRow = Static<typeof ServiceRow>

const { document: _d, prediction: _p, tenant_id: _t, ...shown } = ServiceRow.properties

export const ServiceFilter = strictObject({
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  service: Type.Optional(Slug),
  verdict: Type.Optional(oneOf(...verdicts)),
  criticality_min: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  include: Type.Optional(includeOf('model', 'cut_sets', 'importance')),
})
export type ServiceFilter = Static<typeof ServiceFilter>

export const ServiceObjectives = strictObject({
  ...shown,
  tenant_id: Uuid,
  objectives: Objectives,
  single_points: Type.Array(Type.String({ maxLength: 110 })),
  model: Type.Optional(ServiceBody),
  cut_sets: Type.Optional(CutSets),
  importance: Type.Optional(Importance),
})
export type ServiceObjectives = Static<typeof ServiceObjectives>
