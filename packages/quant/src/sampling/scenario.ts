import { lawOf } from '../distributions/law.ts'
import type { Law } from '../distributions/specification.ts'
import { type QuantileTable, tableOf, tableOfLaw } from '../distributions/table.ts'
import type { NamedDistribution, ScenarioPlan } from '../loss/fair-model.ts'

/** A yearly or per-event variable with its table. Its place in `variables` is the number of its random stream. */
export interface Variable {
  readonly pointer: string
  readonly table: QuantileTable
  /** Offset of its random stream within those of the scenario. */
  readonly stream: number
  readonly law: Law
}

/** A plan with its tables: everything a worker needs, made from the plan alone. */
export interface CompiledScenario {
  readonly count: ScenarioPlan['count']
  readonly rateScale: number
  readonly rateFactors: readonly Variable[]
  readonly losses: readonly Variable[]
  readonly secondary: { readonly probability: Variable; readonly losses: readonly Variable[] } | null
  /** Mean-1 gamma factor of the rate of a negative binomial count. */
  readonly dispersion: Variable | null
  readonly countStream: number
  readonly thinningStream: number
  readonly streams: number
  /** Pointers of variables whose table misses the moments of its law by more than 1e-6 (mean) or 1e-5 (sd). */
  readonly inaccurate: readonly string[]
}

/** Builds or looks up the tables of a plan. Streams are numbered in the order of the model's nodes. */
export function compileScenario(plan: ScenarioPlan): CompiledScenario {
  let streams = 2
  const nextStream = (): number => {
    streams += 1
    return streams - 1
  }
  const variable = ({ pointer, distribution }: NamedDistribution): Variable => ({
    pointer,
    table: tableOf(distribution),
    stream: nextStream(),
    law: lawOf(distribution),
  })
  const rateFactors = [...plan.rateFactors.map(variable), ...resistanceVariable(plan, nextStream)]
  const losses = plan.losses.map(variable)
  const secondary =
    plan.secondary === null
      ? null
      : { probability: variable(plan.secondary.probability), losses: plan.secondary.losses.map(variable) }
  const shape = plan.count.law === 'negative_binomial' ? 1 / plan.count.dispersion : 0
  const dispersion =
    shape === 0 ? null : variable({ pointer: '/count', distribution: { type: 'gamma', shape, scale: 1 / shape } })
  const all = [...rateFactors, ...losses, ...(secondary?.losses ?? []), ...(dispersion === null ? [] : [dispersion])]
  return {
    count: plan.count,
    rateScale: plan.rateScale,
    rateFactors,
    losses,
    secondary,
    dispersion,
    countStream: 0,
    thinningStream: 1,
    streams,
    inaccurate: all.filter(({ table }) => !table.accuracy.within).map(({ pointer }) => pointer),
  }
}

/** The year's vulnerability 1 - F_capability(resistance), as a falling function of the resistance. */
function resistanceVariable(plan: ScenarioPlan, nextStream: () => number): readonly Variable[] {
  if (plan.yearlyResistance === null) return []
  const capability = lawOf(plan.yearlyResistance.capability)
  const resistance = lawOf(plan.yearlyResistance.resistance)
  const law = vulnerabilityLaw(capability, resistance)
  return [{ pointer: '/nodes/resistance_strength', table: tableOfLaw(law), stream: nextStream(), law }]
}

function vulnerabilityLaw(capability: Law, resistance: Law): Law {
  const at = (x: number): number => 1 - capability.cdf(x)
  if (resistance.atoms !== undefined) {
    const values = resistance.atoms.values.map(at).reverse()
    const probabilities = [...resistance.atoms.probabilities].reverse()
    return { ...resistance, low: values[0] ?? 0, high: values.at(-1) ?? 0, atoms: { values, probabilities } }
  }
  const { beta: _, atoms: __, ...rest } = resistance
  const quantile = (p: number): number => at(resistance.upperQuantile(p))
  const upperQuantile = (q: number): number => at(resistance.quantile(q))
  return {
    ...rest,
    low: at(resistance.high),
    high: at(resistance.low),
    ...momentsBy(quantile),
    quantile,
    upperQuantile,
  }
}

/** Mean and variance of a quantile function, by the midpoint rule with 65,536 points. */
function momentsBy(quantile: (p: number) => number): Pick<Law, 'mean' | 'variance'> {
  const n = 65_536
  let sum = 0
  let square = 0
  for (let i = 0; i < n; i += 1) {
    const x = quantile((i + 0.5) / n)
    sum += x
    square += x * x
  }
  return { mean: sum / n, variance: square / n - (sum / n) ** 2 }
}
