import { lawOf } from '../distributions/law.ts'
import type { Law } from '../distributions/specification.ts'
import { exp, log } from '../numeric/exp-log.ts'
import { transform } from '../numeric/fft.ts'
import type { Rule } from '../numeric/quadrature.ts'
import { AnnualLossLaw } from './annual-loss-law.ts'
import { type CountEvaluator, countTransform } from './count-transform.ts'
import type { CountLaw, NamedDistribution, ScenarioPlan } from './fair-model.ts'
import { nodesFor, rateRule, ruleMoments, ruleOf } from './mixture.ts'

/** Closed-form moments of a scenario's annual loss. */
export interface LossMoments {
  readonly mean: number
  readonly variance: number
  /** Probability of a year without loss. */
  readonly noLoss: number
  /** Mean number of loss events. */
  readonly events: number
  /** Expected number of single losses above x in a year. */
  readonly exceedances: (x: number) => number
}

interface Parts {
  readonly rate: Rule
  readonly losses: readonly Law[]
  readonly secondaryRule: Rule
  readonly secondaryLosses: readonly Law[]
}

const exponentialTilt = 12
const largestGrid = 1 << 18

function lawsOf(named: readonly NamedDistribution[]): readonly Law[] {
  return named.map(({ distribution, pointer }) => lawOf(distribution, pointer))
}

function partsOf(plan: ScenarioPlan): Parts {
  const wide = rateRule(plan, 32)
  const range = (wide.nodes.at(-1) ?? 0) - (wide.nodes[0] ?? 0)
  const probability = plan.secondary === null ? null : lawOf(plan.secondary.probability.distribution)
  const largest = wide.nodes.at(-1) ?? 0
  return {
    rate: rateRule(plan, nodesFor(2 * range)),
    losses: lawsOf(plan.losses),
    secondaryRule:
      probability === null
        ? { nodes: [0], weights: [1] }
        : ruleOf(probability, nodesFor(2 * largest * (probability.high - probability.low))),
    secondaryLosses: plan.secondary === null ? [] : lawsOf(plan.secondary.losses),
  }
}

const total = (laws: readonly Law[], of: (law: Law) => number): number => laws.reduce((sum, law) => sum + of(law), 0)

/** E[S] = E[Λ]E[X], Var S by the law of total variance over the yearly parameters. */
export function momentsOf(plan: ScenarioPlan): LossMoments {
  const { rate, losses, secondaryRule, secondaryLosses } = partsOf(plan)
  const [m1, v1] = [total(losses, (law) => law.mean), total(losses, (law) => law.variance)]
  const [m2, v2] = [total(secondaryLosses, (law) => law.mean), total(secondaryLosses, (law) => law.variance)]
  const p = ruleMoments(secondaryRule)
  const given = ruleMoments(rate)
  const secondSquare = p.variance + p.mean * p.mean
  const meanLoss = m1 + p.mean * m2
  // Var(X | p) averaged, and E[X | p] squared averaged.
  const within = v1 + p.mean * (v2 + m2 * m2) - secondSquare * m2 * m2
  const squared = m1 * m1 + 2 * m1 * p.mean * m2 + secondSquare * m2 * m2
  const rateSquare = given.variance + given.mean ** 2
  const countSquare = given.mean + rateSquare * squareFactor(plan.count)
  const events = plan.count.law === 'annual_loss' ? 1 : given.mean
  const square = plan.count.law === 'annual_loss' ? 1 : countSquare
  const zero = zeroProbabilities(losses, secondaryLosses)
  return {
    mean: events * meanLoss,
    variance: events * within + square * squared - (events * meanLoss) ** 2,
    events,
    noLoss: mixtureAtZero(plan.count, { rate, secondaryRule, zero }),
    exceedances: (x) =>
      events * (total(losses, (law) => 1 - law.cdf(x)) + p.mean * total(secondaryLosses, (law) => 1 - law.cdf(x))),
  }
}

/** E[N²] = Λ + factor Λ². */
function squareFactor(count: ScenarioPlan['count']): number {
  if (count.law === 'negative_binomial') return 1 + count.dispersion
  return count.law === 'poisson' ? 1 : 0
}

function zeroProbabilities(losses: readonly Law[], secondary: readonly Law[]): readonly [number, number] {
  const product = (laws: readonly Law[]): number => laws.reduce((p, law) => p * (law.low < 0 ? 0 : law.cdf(0)), 1)
  return [product(losses), product(secondary)]
}

function mixtureAtZero(
  count: ScenarioPlan['count'],
  { rate, secondaryRule, zero }: Pick<Parts, 'rate' | 'secondaryRule'> & { readonly zero: readonly [number, number] },
): number {
  const [z1, z2] = zero
  let sum = 0
  rate.nodes.forEach((lambda, i) => {
    secondaryRule.nodes.forEach((p, j) => {
      const z = z1 * (1 - p + p * z2)
      sum += (rate.weights[i] ?? 0) * (secondaryRule.weights[j] ?? 0) * probabilityGenerating(count, lambda, z)
    })
  })
  return sum
}

function probabilityGenerating(count: CountLaw | { readonly law: 'annual_loss' }, lambda: number, z: number): number {
  switch (count.law) {
    case 'poisson':
      return exp(lambda * (z - 1))
    case 'bernoulli':
      return 1 + lambda * (z - 1)
    case 'negative_binomial':
      return exp(-log(1 + lambda * count.dispersion * (1 - z)) / count.dispersion)
    case 'annual_loss':
      return z
  }
}

/**
 * Exact law of the sum of independent scenarios: discretized losses, Fourier transform, mixture over the yearly
 * parameters by Gauss rules, product over scenarios, inverse transform. No sampling noise.
 * @param plans one scenario or an independent portfolio.
 */
export function exactAnnualLoss(plans: readonly ScenarioPlan[]): AnnualLossLaw {
  const moments = plans.map(momentsOf)
  const mean = moments.reduce((sum, each) => sum + each.mean, 0)
  const variance = moments.reduce((sum, each) => sum + each.variance, 0)
  const noLoss = moments.reduce((p, each) => p * each.noLoss, 1)
  const { step, size } = gridOf(mean, variance, moments)
  const real = new Float64Array(size)
  const imaginary = new Float64Array(size)
  real.fill(1, 0, size / 2 + 1)
  const tilt = exponentialTilt / size
  for (const plan of plans) multiplyTransform(plan, { real, imaginary, step, tilt })
  for (let k = size / 2 + 1; k < size; k += 1) {
    real[k] = real[size - k] ?? 0
    imaginary[k] = -(imaginary[size - k] ?? 0)
  }
  transform(real, imaginary, -1)
  const scale = exp(tilt)
  let factor = 1 / size
  for (let i = 0; i < size; i += 1) {
    real[i] = Math.max(0, (real[i] ?? 0) * factor)
    factor *= scale
  }
  return new AnnualLossLaw({ mass: real, step, mean, variance, noLoss })
}

/** Step at most a thousandth of the standard deviation, end where a year exceeds it once in a million. */
function gridOf(
  mean: number,
  variance: number,
  moments: readonly LossMoments[],
): { readonly step: number; readonly size: number } {
  const exceedances = (x: number): number => moments.reduce((sum, each) => sum + each.exceedances(x), 0)
  const sd = variance < Number.POSITIVE_INFINITY ? Math.sqrt(variance) : mean
  if (!(sd > 0)) return { step: Math.max(1, mean) / 64, size: 256 }
  let end = mean + 15 * sd
  while (end < 200 * sd + mean && exceedances(0.5 * end) > 1e-6) end *= 1.25
  const needed = end / (sd / 1_000)
  const size = Math.min(largestGrid, 2 ** (31 - Math.clz32(Math.ceil(needed) - 1) + 1))
  return { step: end / size, size }
}

interface Grid {
  readonly real: Float64Array
  readonly imaginary: Float64Array
  readonly step: number
  readonly tilt: number
}

/** Multiplies the first half of a transform by that of one scenario. */
function multiplyTransform(plan: ScenarioPlan, grid: Grid): void {
  const parts = partsOf(plan)
  const first = transformOfSum(parts.losses, grid)
  const second = parts.secondaryLosses.length === 0 ? null : transformOfSum(parts.secondaryLosses, grid)
  const evaluate: CountEvaluator = countTransform(plan.count, parts.rate, parts.secondaryRule)
  const half = grid.real.length / 2
  const value = new Float64Array(2)
  for (let k = 0; k <= half; k += 1) {
    const [a, b] = [first.real[k] ?? 0, first.imaginary[k] ?? 0]
    evaluate(a, b, second?.real[k] ?? 1, second?.imaginary[k] ?? 0, value)
    const [x, y] = [grid.real[k] ?? 0, grid.imaginary[k] ?? 0]
    const [u, v] = [value[0] ?? 0, value[1] ?? 0]
    grid.real[k] = x * u - y * v
    grid.imaginary[k] = x * v + y * u
  }
}

/** Tilted transform of the sum of independent losses, each rounded to the grid. */
function transformOfSum(
  laws: readonly Law[],
  { real: { length: size }, step, tilt }: Grid,
): { readonly real: Float64Array; readonly imaginary: Float64Array } {
  const product = { real: new Float64Array(size).fill(1), imaginary: new Float64Array(size) }
  for (const law of laws) {
    const real = new Float64Array(size)
    const imaginary = new Float64Array(size)
    let below = 0
    let damping = 1
    const decay = exp(-tilt)
    for (let i = 0; i < size && below < 1; i += 1) {
      const upTo = law.cdf((i + 0.5) * step)
      real[i] = (upTo - below) * damping
      damping *= decay
      below = upTo
    }
    transform(real, imaginary, 1)
    for (let k = 0; k <= size / 2; k += 1) {
      const [a, b, c, d] = [product.real[k] ?? 0, product.imaginary[k] ?? 0, real[k] ?? 0, imaginary[k] ?? 0]
      product.real[k] = a * c - b * d
      product.imaginary[k] = a * d + b * c
    }
  }
  return product
}
