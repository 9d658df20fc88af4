/** A simulation as it is asked for, stored and shown. */
import Type, { type Static } from 'typebox'
import { includeOf } from '../../../kernel/schema/include.ts'
import { nullable, oneOf, Slug, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { DurationLaw, Estimate, ModelParts, ServiceBody } from './model-schema.ts'
import { runStatuses } from './words.ts'

export const methods = ['des', 'exact'] as const
const Seed = Type.String({
  pattern: '^(0|[1-9]\\d{0,18})$',
  maxLength: 19,
  description: 'Unsigned integer below 10^19',
})

const Override = strictObject({
  service: Slug,
  recovery_steps: Type.Optional(
    Type.Array(
      strictObject({ step: ServiceBody.properties.recovery_steps.items.properties.step, distribution: DurationLaw }),
      { maxItems: 20, description: 'In place of the service’s own' },
    ),
  ),
  failure: Type.Optional({ ...DurationLaw, description: 'Hours from start or recovery to the next failure' }),
  k: Type.Optional(
    strictObject({
      group: Type.String({ minLength: 1, maxLength: 63 }),
      k: Type.Integer({ minimum: 1, maximum: 100 }),
    }),
  ),
})
export type Override = Static<typeof Override>

export const NewSimulation = strictObject({
  method: Type.Optional(oneOf(...methods)),
  scenario_id: Type.Optional(Uuid),
  horizon_hours: Type.Optional(Type.Number({ minimum: 1, maximum: 876_000, description: 'Default 8,760: a year' })),
  runs: Type.Optional(Type.Integer({ minimum: 100, maximum: 1_000_000, description: 'Default 10,000' })),
  seed: Type.Optional(Seed),
  overrides: Type.Optional(
    Type.Array(Override, { maxItems: 50, description: 'What if: other steps, failures or redundancy' }),
  ),
  cancel: Type.Optional({ ...Uuid, description: 'Cancels this simulation; alone in the body' }),
})
export type NewSimulation = Static<typeof NewSimulation>

const Value = Type.Number()
const Share = Type.Number({ minimum: 0, maximum: 1 })
const Text = Type.String({ maxLength: 110 })

const ServiceResult = strictObject({
  service: Slug,
  outages: Type.Integer({ minimum: 0 }),
  outages_per_year: Value,
  availability: nullable(Share),
  degraded_share: Share,
  rto: nullable(Estimate),
  rpo: nullable(Estimate),
  cost_per_year: nullable(Value),
  /** Lengths of outages at the probabilities 0, 0.05, … 1. */
  histogram: nullable(Type.Array(strictObject({ from: Value, to: Value, share: Share }))),
})
export type ServiceResult = Static<typeof ServiceResult>

export const SimulationResult = strictObject({
  services: Type.Array(ServiceResult),
  verdicts: strictObject({
    met: Type.Integer({ minimum: 0 }),
    not_met: Type.Integer({ minimum: 0 }),
    uncertain: Type.Integer({ minimum: 0 }),
  }),
  worst_service: nullable(Slug),
  runs_done: Type.Integer({ minimum: 0 }),
  events: Type.Integer({ minimum: 0 }),
  critical_path: Type.Array(strictObject({ service: Text, component: Text, share: Share })),
  timeline: Type.Array(
    strictObject({ service: Text, start_minutes: Value, end_minutes: Value, finished: Type.Boolean() }),
  ),
})
export type SimulationResult = Static<typeof SimulationResult>

/** All that decides a result, beside runs and seed. */
export const Inputs = strictObject({
  parts: ModelParts,
  failing: Type.Record(Slug, Type.Number({ minimum: 0 })),
  is_current: Type.Boolean(),
})
export type Inputs = Static<typeof Inputs>

export const SimulationRow = strictObject({
  tenant_id: Uuid,
  id: Uuid,
  scenario_id: nullable(Uuid),
  method: oneOf(...methods),
  model_version: Type.Integer(),
  inputs: Inputs,
  horizon_hours: Value,
  runs: Type.Integer(),
  seed: Seed,
  status: oneOf(...runStatuses),
  progress: Share,
  result: nullable(SimulationResult),
  result_sha256: nullable(Type.String({ maxLength: 64 })),
  failure: nullable(Type.String({ maxLength: 500 })),
  created_by: nullable(Uuid),
  started_at: nullable(Timestamp),
  finished_at: nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type SimulationRow = Static<typeof SimulationRow>

const { inputs: _inputs, result: _result, ...shown } = SimulationRow.properties
const { critical_path, timeline, services: _services, ...summary } = SimulationResult.properties
const { histogram, ...ofService } = ServiceResult.properties

export const Simulation = strictObject({
  ...shown,
  result: nullable(
    strictObject({
      ...summary,
      services: Type.Array(strictObject({ ...ofService, histogram: Type.Optional(histogram) })),
      critical_path: Type.Optional(critical_path),
      timeline: Type.Optional(timeline),
    }),
  ),
})
export type Simulation = Static<typeof Simulation>

export const SimulationQuery = strictObject({
  include: Type.Optional(includeOf('histogram', 'critical_path', 'timeline')),
})
