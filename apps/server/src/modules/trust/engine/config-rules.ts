import { type DecayConfig, HALF_LIFE_DAYS } from './config.ts'
import type { DecayStep } from './decay.ts'
import { isTenThousandths, toHundredths, toPoints, toTenThousandths, WHOLE } from './fixed-point.ts'
import { PILLAR_NAMES, type PillarName, SIGNAL_IDS, signalsOf } from './signals.ts'

export interface ConfigProblem {
  /** `weights`: a set of weights is not exactly 1; `decay`: a parameter of the decay is impossible. */
  readonly kind: 'weights' | 'decay'
  /** Path inside the configuration, such as `pillars.risk.steps`. */
  readonly path: string
  readonly detail: string
}

/** Problems of a configuration that has the right shape; empty when it can be used. */
export function configProblems(config: DecayConfig): readonly ConfigProblem[] {
  return [...weightProblems(config), ...decayProblems(config)]
}

/** Throws a `RangeError` that lists the problems of a configuration. */
export function assertUsable(config: DecayConfig): void {
  const problems = configProblems(config)
  if (problems.length > 0) throw new RangeError(problems.map(({ path, detail }) => `${path}: ${detail}`).join(' '))
}

interface NamedWeight {
  readonly path: string
  readonly weight: number
}

function weightProblems(config: DecayConfig): readonly ConfigProblem[] {
  const ofPillars = PILLAR_NAMES.map((name) => ({
    path: `pillars.${name}.weight`,
    weight: config.pillars[name].weight,
  }))
  return [
    ...sumProblems('pillars', ofPillars),
    ...PILLAR_NAMES.flatMap((name) => sumProblems(`signals of ${name}`, signalWeights(config, name))),
    ...PILLAR_NAMES.filter((name) => hasNoHeir(config, name)).map(noHeir),
  ]
}

function signalWeights(config: DecayConfig, pillar: PillarName): readonly NamedWeight[] {
  return signalsOf(pillar).map((id) => ({ path: `signals.${id}.weight`, weight: config.signals[id].weight }))
}

function sumProblems(path: string, weights: readonly NamedWeight[]): readonly ConfigProblem[] {
  const uneven = weights.filter(({ weight }) => !isShare(weight))
  if (uneven.length > 0) {
    const detail = 'A weight is a number from 0 to 1 with at most four decimals.'
    return uneven.map((named) => ({ kind: 'weights', path: named.path, detail }))
  }
  const sum = weights.reduce((total, { weight }) => total + toTenThousandths(weight), 0)
  if (sum === WHOLE) return []
  return [{ kind: 'weights', path, detail: `The weights sum to ${sum / WHOLE}, not to exactly 1.` }]
}

function isShare(weight: number): boolean {
  return weight >= 0 && weight <= 1 && !Object.is(weight, -0) && isTenThousandths(weight)
}

/** The weight of signals that do not apply goes to their siblings; a pillar that counts must have one left. */
function hasNoHeir(config: DecayConfig, pillar: PillarName): boolean {
  if (config.pillars[pillar].weight === 0) return false
  return !signalsOf(pillar).some((id) => config.signals[id].applicable && config.signals[id].weight > 0)
}

function noHeir(pillar: PillarName): ConfigProblem {
  const detail = 'No applicable signal has a weight; leave one, or give the pillar the weight 0.'
  return { kind: 'weights', path: `signals of ${pillar}`, detail }
}

function decayProblems(config: DecayConfig): readonly ConfigProblem[] {
  return [
    ...PILLAR_NAMES.flatMap((name) => pillarProblems(config, name)),
    ...signalProblems(config),
    ...pointProblems(config),
  ]
}

function pointProblems({ prior, caps, notify }: DecayConfig): readonly ConfigProblem[] {
  const points = { prior, ...prefixed('caps', caps), ...prefixed('notify', notify) }
  const detail = 'Points are a number from 0 to 100 with at most two decimals.'
  return Object.entries(points)
    .filter(([, value]) => value !== null && !isPoints(value))
    .map(([path]) => ({ kind: 'decay', path, detail }))
}

function prefixed<V>(path: string, values: Readonly<Record<string, V>>): Readonly<Record<string, V>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${path}.${name}`, value]))
}

function isPoints(points: number): boolean {
  return points >= 0 && points <= 100 && toPoints(toHundredths(points)) === points
}

function pillarProblems(config: DecayConfig, name: PillarName): readonly ConfigProblem[] {
  const { half_life_days, grace_days = 0, lifetime_days, steps = [] } = config.pillars[name]
  const problems: ConfigProblem[] = []
  const report = (field: string, detail: string) =>
    problems.push({ kind: 'decay', path: `pillars.${name}.${field}`, detail })
  if (!isHalfLife(half_life_days)) report('half_life_days', HALF_LIFE_RULE)
  if (!(grace_days >= 0)) report('grace_days', 'A grace is not negative.')
  if (lifetime_days !== undefined && !(lifetime_days > 0)) report('lifetime_days', 'A lifetime is above 0.')
  if (!areOrdered(steps)) report('steps', 'Steps increase in after_days, and their factors never do.')
  return problems
}

function signalProblems(config: DecayConfig): readonly ConfigProblem[] {
  return SIGNAL_IDS.flatMap((id) => {
    const { half_life_days, applicable, reason } = config.signals[id]
    const problems: ConfigProblem[] = []
    const report = (field: string, detail: string) =>
      problems.push({ kind: 'decay', path: `signals.${id}.${field}`, detail })
    if (half_life_days !== undefined && !isHalfLife(half_life_days)) report('half_life_days', HALF_LIFE_RULE)
    if (!applicable && !reason?.trim()) report('reason', 'A signal that does not apply needs a reason.')
    return problems
  })
}

const HALF_LIFE_RULE = `A half-life is ${HALF_LIFE_DAYS.minimum} to ${HALF_LIFE_DAYS.maximum} days.`

function isHalfLife(days: number): boolean {
  return days >= HALF_LIFE_DAYS.minimum && days <= HALF_LIFE_DAYS.maximum
}

function areOrdered(steps: readonly DecayStep[]): boolean {
  let before: DecayStep = { after_days: Number.NEGATIVE_INFINITY, factor: 1 }
  return steps.every((step) => {
    const ordered = step.after_days > before.after_days && step.factor <= before.factor
    before = step
    return ordered
  })
}
