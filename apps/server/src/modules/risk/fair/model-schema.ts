/** The Open FAIR model (O-RT 3.0.1) as JSON: nodes with distributions, the law of counts, the scope of resistance. */
import Type, { type Static, type TProperties } from 'typebox'
import { oneOf, strictObject } from '../../../kernel/schema/types.ts'

/** Wide enough for any money, rate or share, and narrow enough that sums and squares stay numbers. */
export const Parameter = Type.Number({ minimum: -1e15, maximum: 1e15 })
const N = Parameter
const Sample = Type.Array(N, { minItems: 1, maxItems: 10_000 })
const law = <const T extends string, P extends TProperties>(type: T, parameters: P) =>
  strictObject({ type: Type.Literal(type), ...parameters })

export const Distribution = Type.Union([
  law('constant', { value: N }),
  law('uniform', { low: N, high: N }),
  law('triangular', { low: N, mode: N, high: N }),
  law('pert', {
    low: N,
    mode: N,
    high: N,
    shape: Type.Optional(N),
    variant: Type.Optional(oneOf('standard', 'sigma6')),
  }),
  law('beta', { alpha: N, beta: N, low: Type.Optional(N), high: Type.Optional(N) }),
  law('truncated_normal', { mean: N, sd: N, low: N, high: N }),
  law('lognormal', { mean: N, sd: N }),
  law('lognormal_interval', { p05: N, p95: N }),
  law('gamma', { shape: N, scale: N }),
  law('exponential', { mean: N }),
  law('weibull', { shape: N, scale: N }),
  law('pareto', { minimum: N, shape: N }),
  law('generalized_pareto', { location: N, scale: N, shape: N }),
  law('empirical', { sample: Sample }),
  law('discrete', { values: Sample, probabilities: Sample }),
])
export type Distribution = Static<typeof Distribution>

const node = Type.Optional(Distribution)
const lossNode = Type.Optional(
  Type.Union([
    Distribution,
    strictObject({
      forms: strictObject({
        productivity: node,
        response: node,
        replacement: node,
        fines_and_judgments: node,
        competitive_advantage: node,
        reputation: node,
      }),
    }),
  ]),
)

export const FairModelBody = strictObject({
  nodes: strictObject({
    risk: node,
    loss_event_frequency: node,
    threat_event_frequency: node,
    contact_frequency: node,
    probability_of_action: node,
    vulnerability: node,
    threat_capability: node,
    resistance_strength: node,
    loss_magnitude: node,
    primary_loss: lossNode,
    secondary_loss: node,
    secondary_loss_event_frequency: node,
    secondary_loss_magnitude: lossNode,
  }),
  count: Type.Optional(
    Type.Union([
      strictObject({ law: Type.Literal('poisson') }),
      strictObject({ law: Type.Literal('negative_binomial'), dispersion: N }),
      strictObject({ law: Type.Literal('bernoulli') }),
    ]),
  ),
  resistance_scope: Type.Optional(oneOf('per_event', 'per_year')),
})
export type FairModelBody = Static<typeof FairModelBody>

export const ControlBody = strictObject({
  id: Type.String({ minLength: 1, maxLength: 100 }),
  node: oneOf(
    'contact_frequency',
    'probability_of_action',
    'resistance_strength',
    'primary_loss',
    'secondary_loss_event_frequency',
    'secondary_loss_magnitude',
  ),
  efficacy: Distribution,
  coverage: Distribution,
  reliability: Distribution,
  cost: Type.Number({ minimum: 0, maximum: 1e15, description: 'A year, in the currency of the analysis' }),
})
export type ControlBody = Static<typeof ControlBody>
