/** A FAIR analysis as it is stored, shown and asked for. */
import Type, { type Static } from 'typebox'
import { nullable, oneOf, strictObject, Timestamp, Uuid } from '../../../kernel/schema/types.ts'
import { Currency } from '../scoring/appetite.ts'
import { purposes, runStatuses } from '../scoring/words.ts'
import { ControlBody, FairModelBody, Parameter } from './model-schema.ts'
import { Agreement, AnalysisResult, ExactResult, Interval, SimulatedResult, Value } from './result-schema.ts'
import { StoredTef, TefFrom } from './tef-schema.ts'

export const engines = ['exact', 'monte_carlo', 'both'] as const

const HorizonYears = Type.Integer({ minimum: 1, maximum: 5 })

export const NewEstimator = strictObject({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  answers: Type.Optional(
    Type.Array(strictObject({ low: Parameter, high: Parameter, actual: Parameter }), {
      minItems: 1,
      maxItems: 200,
      description: '90 % intervals for questions whose answer is known',
    }),
  ),
})
export const Estimator = strictObject({
  name: Type.String({ maxLength: 200 }),
  calibration: nullable(
    strictObject({
      answers: Type.Integer(),
      hits: Type.Integer(),
      hit_rate: Value,
      interval: Interval,
      overconfident: Type.Boolean(),
    }),
  ),
})
export type Estimator = Static<typeof Estimator>

type NodeName = keyof typeof FairModelBody.properties.nodes.properties
const nodeNames = Object.keys(FairModelBody.properties.nodes.properties) as NodeName[]
const Sentence = Type.Optional(Type.String({ maxLength: 2000 }))
/** Why each node is what it is. */
const Rationale = strictObject(
  Object.fromEntries(nodeNames.map((name) => [name, Sentence])) as Record<NodeName, typeof Sentence>,
)

export const AnalysisRow = strictObject({
  id: Uuid,
  tenant_id: Uuid,
  created_at: Timestamp,
  updated_at: Timestamp,
  risk_id: Uuid,
  number: Type.Integer({ minimum: 1 }),
  purpose: oneOf(...purposes),
  current: Type.Boolean(),
  model: FairModelBody,
  tef_from: nullable(StoredTef),
  rationale: Rationale,
  estimators: Type.Array(Estimator),
  controls: Type.Array(ControlBody),
  currency: Currency,
  horizon_years: HorizonYears,
  engine: oneOf(...engines),
  cause: oneOf('request', 'threat_update'),
  simulation_id: nullable(Uuid),
  status: oneOf(...runStatuses),
  result: nullable(AnalysisResult),
  mean: nullable(Value),
  var95: nullable(Value),
  created_by: nullable(Uuid),
})
export type AnalysisRow = Static<typeof AnalysisRow>

const { number: _number, mean: _mean, var95: _var95, result: _result, ...shown } = AnalysisRow.properties
const Version = strictObject({
  id: Uuid,
  version: Type.Integer({ minimum: 1 }),
  purpose: oneOf(...purposes),
  current: Type.Boolean(),
  status: oneOf(...runStatuses),
  created_at: Timestamp,
  mean: nullable(Value),
  var95: nullable(Value),
})

/** The curve and the histogram are shown where they were asked for. */
const shownExact = {
  ...ExactResult.properties,
  lec: Type.Optional(ExactResult.properties.lec),
  histogram: Type.Optional(ExactResult.properties.histogram),
}
const { lec, histogram, trace: _trace, ...simulated } = SimulatedResult.properties
const ShownResult = strictObject({
  exact: nullable(strictObject(shownExact)),
  monte_carlo: nullable(strictObject({ ...simulated, lec: Type.Optional(lec), histogram: Type.Optional(histogram) })),
  agreement: nullable(Agreement),
})
export type ShownResult = Static<typeof ShownResult>

export const NodeValue = strictObject({
  pointer: Type.String(),
  mean: Value,
  sd: nullable(Value),
  p10: Value,
  p50: Value,
  p90: Value,
})
export type NodeValue = Static<typeof NodeValue>

export const Analysis = strictObject({
  ...shown,
  version: Type.Integer({ minimum: 1 }),
  /** Of a dry run: nothing was stored. */
  dry_run: Type.Boolean(),
  result: nullable(ShownResult),
  nodes: Type.Optional(Type.Array(NodeValue)),
  versions: Type.Optional(Type.Array(Version)),
  simulations: Type.Optional(
    Type.Array(strictObject({ id: Uuid, kind: Type.String(), status: oneOf(...runStatuses) })),
  ),
})
export type Analysis = Static<typeof Analysis>

export const NewAnalysis = strictObject({
  risk_id: Uuid,
  purpose: oneOf(...purposes),
  model: FairModelBody,
  tef_from: Type.Optional(TefFrom),
  rationale: Type.Optional(Rationale),
  estimators: Type.Optional(Type.Array(NewEstimator, { maxItems: 20 })),
  controls: Type.Optional(Type.Array(ControlBody, { maxItems: 20 })),
  currency: Currency,
  horizon_years: Type.Optional(
    Type.Integer({
      ...HorizonYears,
      description:
        'Default 1. Years whose total loss the exact engine gives in `horizon`; every other result is of one year',
    }),
  ),
  engine: Type.Optional(oneOf(...engines)),
  iterations: Type.Optional(Type.Integer({ minimum: 1_000, maximum: 10_000_000 })),
  seed: Type.Optional(
    Type.String({ pattern: '^(0|[1-9]\\d{0,19})$', maxLength: 20, description: 'Unsigned 64-bit integer' }),
  ),
  dry_run: Type.Optional(Type.Boolean()),
})
export type NewAnalysis = Static<typeof NewAnalysis>
