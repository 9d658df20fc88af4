import { lawOf } from '../distributions/law.ts'
import { exactAnnualLoss, momentsOf } from '../loss/compound.ts'
import type { NamedDistribution, ScenarioPlan } from '../loss/fair-model.ts'

export interface TornadoBar {
  /** JSON pointer of the input in its model. */
  readonly pointer: string
  /** The input's 10 % and 90 % quantiles. */
  readonly low: number
  readonly high: number
  /** The statistic with the input fixed at each, everything else as it is. */
  readonly atLow: number
  readonly atHigh: number
}

/**
 * Effect of each input on a statistic of annual loss, largest first. Evaluated by the exact engine, so that differences
 * carry no sampling noise. Inputs without spread are left out.
 */
export function tornado(plan: ScenarioPlan, statistic: 'mean' | 'var95' = 'mean'): readonly TornadoBar[] {
  const evaluate = (changed: ScenarioPlan): number =>
    statistic === 'mean' ? momentsOf(changed).mean : exactAnnualLoss([changed]).quantile(0.95)
  const bars = inputsOf(plan).flatMap(({ pointer, distribution }) => {
    const law = lawOf(distribution, pointer)
    const [low, high] = [law.quantile(0.1), law.upperQuantile(0.1)]
    if (low === high) return []
    return [
      { pointer, low, high, atLow: evaluate(fixed(plan, pointer, low)), atHigh: evaluate(fixed(plan, pointer, high)) },
    ]
  })
  return bars.sort((a, b) => Math.abs(b.atHigh - b.atLow) - Math.abs(a.atHigh - a.atLow))
}

/** Inputs of a plan with their pointers. */
export function inputsOf(plan: ScenarioPlan): readonly NamedDistribution[] {
  return [
    ...plan.rateFactors,
    ...(plan.yearlyResistance === null
      ? []
      : [
          { pointer: '/nodes/threat_capability', distribution: plan.yearlyResistance.capability },
          { pointer: '/nodes/resistance_strength', distribution: plan.yearlyResistance.resistance },
        ]),
    ...plan.losses,
    ...(plan.secondary === null ? [] : [plan.secondary.probability, ...plan.secondary.losses]),
  ]
}

/** The plan with one input constant. */
function fixed(plan: ScenarioPlan, pointer: string, value: number): ScenarioPlan {
  const fix = (input: NamedDistribution): NamedDistribution =>
    input.pointer === pointer ? { pointer, distribution: { type: 'constant', value } } : input
  const constant = { type: 'constant', value } as const
  const { yearlyResistance: yearly, secondary } = plan
  return {
    ...plan,
    rateFactors: plan.rateFactors.map(fix),
    yearlyResistance:
      yearly === null
        ? null
        : {
            capability: pointer === '/nodes/threat_capability' ? constant : yearly.capability,
            resistance: pointer === '/nodes/resistance_strength' ? constant : yearly.resistance,
          },
    losses: plan.losses.map(fix),
    secondary:
      secondary === null ? null : { probability: fix(secondary.probability), losses: secondary.losses.map(fix) },
  }
}
