import { halvings } from './halving.ts'

export type DecayModel = 'exponential' | 'linear' | 'step' | 'none'

export interface DecayStep {
  readonly after_days: number
  readonly factor: number
}

export interface DecayCurve {
  readonly model: DecayModel
  readonly halfLifeDays: number
  readonly graceDays: number
  /** Days until a linear curve reaches 0. */
  readonly lifetimeDays: number
  readonly steps: readonly DecayStep[]
}

/** The curve a half-life (days) gives when nothing else is set: lifetime 2H, steps 1, 0.5, 0.25, 0 at H, 2H, 4H. */
export function curveOf(model: DecayModel, halfLifeDays: number): DecayCurve {
  return {
    model,
    halfLifeDays,
    graceDays: 0,
    lifetimeDays: 2 * halfLifeDays,
    steps: [
      { after_days: halfLifeDays, factor: 0.5 },
      { after_days: 2 * halfLifeDays, factor: 0.25 },
      { after_days: 4 * halfLifeDays, factor: 0 },
    ],
  }
}

/** Freshness 0..1 of evidence of an age in days; never rises with age. */
export function freshness(curve: DecayCurve, ageDays: number): number {
  const age = Math.max(0, ageDays - curve.graceDays)
  switch (curve.model) {
    case 'exponential':
      return halvings(age / curve.halfLifeDays)
    case 'linear':
      return Math.max(0, 1 - age / curve.lifetimeDays)
    case 'step':
      return factorAt(curve.steps, age)
    case 'none':
      return 1
    default:
      return unknownModel(curve.model)
  }
}

/** A step holds from just after its day: at exactly `after_days` the earlier factor still counts. */
function factorAt(steps: readonly DecayStep[], age: number): number {
  let factor = 1
  for (const step of steps) {
    if (age <= step.after_days) break
    factor = step.factor
  }
  return factor
}

function unknownModel(model: never): never {
  throw new RangeError(`"${String(model)}" is not a decay model.`)
}
