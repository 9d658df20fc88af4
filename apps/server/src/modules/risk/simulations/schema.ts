/** A simulation as it is stored, shown and asked for. */
import { lossForms } from '@parapet/quant'
import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { ControlBody, FairModelBody } from '../fair/model-schema.ts'
import { SimulatedResult } from '../fair/result-schema.ts'
import { Currency } from '../scoring/appetite.ts'
import { runStatuses } from '../scoring/words.ts'

export const kinds = ['scenario', 'portfolio', 'sensitivity', 'control_roi'] as const
export const samplings = ['pseudo', 'latin_hypercube'] as const
export const stopStatistics = ['mean', 'var90', 'var95', 'var99', 'tvar95'] as const

const Value = Type.Number()
const Row = Type.Array(Type.Number({ minimum: -1, maximum: 1 }), { minItems: 1, maxItems: 100 })
const Spearman = Type.Array(Row, {
  minItems: 1,
  maxItems: 100,
  description: 'Rank correlations, symmetric, 1 on the diagonal',
})
/** Rates of a year and losses per event: what a copula of rates and losses may join. */
const Pointer = oneOf(
  '/nodes/loss_event_frequency',
  '/nodes/threat_event_frequency',
  '/nodes/contact_frequency',
  '/nodes/probability_of_action',
  '/nodes/vulnerability',
  '/nodes/risk',
  '/nodes/loss_magnitude',
  '/nodes/primary_loss',
  ...lossForms.map((form) => `/nodes/primary_loss/forms/${form}` as const),
  '/nodes/secondary_loss',
)
const Target = strictObject({
  statistic: oneOf(...stopStatistics),
  relative_error: Type.Number({
    minimum: 0.0001,
    maximum: 0.5,
    description: 'Half of the 95 % interval over the value',
  }),
})
const Seed = Type.String({ pattern: '^(0|[1-9]\\d{0,19})$', maxLength: 20, description: 'Unsigned 64-bit integer' })
const Budget = Type.Number({ minimum: 0, maximum: 1e15, description: 'Cost a year, in the currency of the analysis' })

export const NewCorrelation = strictObject({
  variables: Type.Optional(
    Type.Array(strictObject({ analysis_id: Uuid, node: Pointer }), {
      minItems: 1,
      maxItems: 100,
      description: 'Rates and losses per event that are joined; without them the annual losses of the analyses are',
    }),
  ),
  spearman: Spearman,
  repair: Type.Optional(
    Type.Boolean({ description: 'Take the nearest matrix where this one is not positive semi-definite' }),
  ),
})

export const NewSimulation = strictObject({
  kind: oneOf(...kinds),
  analysis_ids: Type.Array(Uuid, { minItems: 1, maxItems: 1000, uniqueItems: true }),
  correlation: Type.Optional(NewCorrelation),
  iterations: Type.Optional(
    Type.Integer({ minimum: 1_000, maximum: 10_000_000, description: 'Years; default 100,000' }),
  ),
  target: Type.Optional(Target),
  sampling: Type.Optional(oneOf(...samplings)),
  seed: Type.Optional(Seed),
  controls: Type.Optional(Type.Array(ControlBody, { minItems: 1, maxItems: 20 })),
  budget: Type.Optional(Budget),
  previous_simulation_id: Type.Optional(Uuid),
})
export type NewSimulation = Static<typeof NewSimulation>

const Correlation = strictObject({
  variables: nullable(Type.Array(strictObject({ scenario: Type.Integer({ minimum: 0 }), pointer: Pointer }))),
  spearman: Spearman,
  repair: Type.Boolean(),
})

/** All that decides the losses, beside the number of years and the seed. */
export const Inputs = strictObject({
  kind: oneOf(...kinds),
  models: Type.Array(FairModelBody),
  controls: Type.Array(ControlBody),
  budget: nullable(Budget),
  correlation: nullable(Correlation),
  sampling: oneOf(...samplings),
  target: nullable(Target),
  /** The analysis whose Monte Carlo result this is; null where a person asked for the simulation itself. */
  for_analysis: nullable(Uuid),
})
export type Inputs = Static<typeof Inputs>

export const Contribution = strictObject({
  analysis_id: Uuid,
  risk_id: Uuid,
  mean: Value,
  tvar95: Value,
  share: Value,
  standalone_var95: Value,
})

const TornadoBar = strictObject({ pointer: Type.String(), low: Value, high: Value, at_low: Value, at_high: Value })
const SobolIndex = strictObject({
  pointer: Type.String(),
  first: Value,
  first_standard_error: Value,
  total: Value,
  total_standard_error: Value,
})
export const Sensitivity = strictObject({
  tornado_mean: Type.Array(TornadoBar),
  tornado_var95: Type.Array(TornadoBar),
  sobol: Type.Array(SobolIndex),
})
export type Sensitivity = Static<typeof Sensitivity>

const Choice = strictObject({
  budget: Value,
  control_ids: Type.Array(Type.String()),
  cost: Value,
  avoided_mean: Value,
  method: oneOf('exact', 'greedy'),
  gap: Value,
})
export const ControlRoi = strictObject({
  cost: Value,
  avoided_mean: Value,
  avoided_standard_error: Value,
  avoided_quantiles: Type.Array(strictObject({ p: Value, value: Value })),
  roi: nullable(Value),
  probability_of_gain: Value,
  with_mean: Value,
  with_var95: Value,
  with_tvar95: Value,
  var95_change: Value,
  choice: nullable(Choice),
})
export type ControlRoi = Static<typeof ControlRoi>

export const SimulationResult = strictObject({
  statistics: nullable(SimulatedResult),
  contributions: nullable(Type.Array(Contribution)),
  diversification_benefit: nullable(Value),
  correlation_distance: nullable(Value),
  sensitivity: nullable(Sensitivity),
  control_roi: nullable(ControlRoi),
  /** Inputs whose tails the tables of the simulation keep with less than the promised accuracy. */
  inaccurate: Type.Array(Type.String()),
})
export type SimulationResult = Static<typeof SimulationResult>

export const SimulationRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  created_at: Timestamp,
  updated_at: Timestamp,
  kind: oneOf(...kinds),
  analysis_ids: Type.Array(Uuid),
  risk_ids: Type.Array(Uuid),
  inputs: Inputs,
  inputs_sha256: Type.String({ maxLength: 64 }),
  engine_version: Type.String({ maxLength: 40 }),
  seed: Seed,
  iterations: Type.Integer(),
  currency: Currency,
  previous_simulation_id: nullable(Uuid),
  status: oneOf(...runStatuses),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  iterations_done: Type.Integer({ minimum: 0 }),
  losses_sha256: nullable(Type.String({ maxLength: 64 })),
  result: nullable(SimulationResult),
  failure: nullable(Type.String({ maxLength: 500 })),
  mean: nullable(Value),
  var95: nullable(Value),
  tvar95: nullable(Value),
  created_by: nullable(Uuid),
  started_at: nullable(Timestamp),
  finished_at: nullable(Timestamp),
})
export type SimulationRow = Static<typeof SimulationRow>

const { inputs: _inputs, result: _result, mean: _m, var95: _v, tvar95: _t, ...shown } = SimulationRow.properties
const { lec, histogram, trace, ...statistics } = SimulatedResult.properties
const ShownResult = strictObject({
  ...SimulationResult.properties,
  statistics: nullable(
    strictObject({
      ...statistics,
      lec: Type.Optional(lec),
      histogram: Type.Optional(histogram),
      trace: Type.Optional(trace),
    }),
  ),
  contributions: Type.Optional(SimulationResult.properties.contributions),
})

export const Simulation = strictObject({
  ...shown,
  sampling: oneOf(...samplings),
  target: nullable(Target),
  correlated: Type.Boolean(),
  result: nullable(ShownResult),
})
export type Simulation = Static<typeof Simulation>
