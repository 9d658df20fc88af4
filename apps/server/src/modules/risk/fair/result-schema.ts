/** Results of both engines as they are stored and shown. */
import Type, { type Static } from 'typebox'
import { nullable, strictObject } from '../../../kernel/schema/types.ts'

export const Value = Type.Number()
export const Interval = strictObject({ low: Value, high: Value })

export const Quantile = strictObject({ p: Value, value: Value, interval: Type.Optional(Interval) })
export const Tail = strictObject({
  level: Value,
  var: Value,
  tvar: Value,
  interval: Type.Optional(Interval),
  tvar_standard_error: Type.Optional(Value),
})
export const CurvePoint = strictObject({ loss: Value, probability: Value, band: Type.Optional(Interval) })
export const Bin = strictObject({ from: Value, to: Value, share: Value })

const Horizon = strictObject({
  years: Type.Integer({ minimum: 2 }),
  mean: Value,
  sd: nullable(Value),
  no_loss: Value,
  quantiles: Type.Array(Quantile),
  tails: Type.Array(Tail),
})

export const ExactResult = strictObject({
  engine: Type.Literal('exact'),
  mean: Value,
  sd: nullable(Value),
  no_loss: Value,
  events: Value,
  quantiles: Type.Array(Quantile),
  tails: Type.Array(Tail),
  lec: Type.Array(CurvePoint),
  histogram: Type.Array(Bin),
  /** Total loss of all years of the horizon, where it is more than one. */
  horizon: Type.Optional(Horizon),
})
export type ExactResult = Static<typeof ExactResult>

/** Statistics of simulated annual losses, with their sampling error. */
export const SimulatedResult = strictObject({
  engine: Type.Literal('monte_carlo'),
  years: Type.Integer({ minimum: 1 }),
  mean: Value,
  standard_error: Value,
  sd: Value,
  no_loss: Value,
  largest: Value,
  quantiles: Type.Array(Quantile),
  tails: Type.Array(Tail),
  lec: Type.Array(CurvePoint),
  histogram: Type.Array(Bin),
  trace: Type.Array(strictObject({ years: Type.Integer(), mean: Value, standard_error: Value })),
})
export type SimulatedResult = Static<typeof SimulatedResult>

/** How far the two engines are apart. */
export const Agreement = strictObject({
  mean_difference_in_standard_errors: Value,
  var95_inside_interval: Type.Boolean(),
})

export const AnalysisResult = strictObject({
  exact: nullable(ExactResult),
  monte_carlo: nullable(SimulatedResult),
  agreement: nullable(Agreement),
})
export type AnalysisResult = Static<typeof AnalysisResult>
