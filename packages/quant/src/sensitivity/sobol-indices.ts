import { lawOf } from '../distributions/law.ts'
import { type QuantileTable, tableOf } from '../distributions/table.ts'
import type { ScenarioPlan } from '../loss/fair-model.ts'
import { RandomStream, seedKey } from '../random/stream.ts'
import { fillDraws } from '../sampling/kernels.ts'
import { inputsOf } from './tornado.ts'

export interface SobolIndex {
  readonly pointer: string
  /** Share of the variance that the input explains alone. */
  readonly first: number
  readonly firstStandardError: number
  /** Share that would remain if everything else were known: alone and in interactions. */
  readonly total: number
  readonly totalStandardError: number
}

export interface SobolSettings {
  readonly plan: ScenarioPlan
  /** Rows of each of the two sample matrices, at least 256; (inputs + 2) model evaluations each. */
  readonly samples: number
  /** Unsigned 64-bit integer as a decimal string. */
  readonly seed: string
}

/**
 * Sobol indices of the expected annual loss as a function of the model's inputs: rate times loss per event. First-order
 * estimator of Saltelli et al. 2010 (table 2b), total of Jansen 1999, standard errors by the delta method. A year's
 * resistance counts through the vulnerability it leaves.
 */
export function sobolIndices({ plan, samples: n, seed }: SobolSettings): readonly SobolIndex[] {
  if (!(Number.isInteger(n) && n >= 256 && n <= 10_000_000)) throw new RangeError('Samples are 256 to 10,000,000.')
  const inputs = inputsOf(plan)
  const tables = inputs.map(({ distribution }) => tableOf(distribution))
  const key = seedKey(seed)
  const matrix = (first: number): Float64Array[] =>
    tables.map((table, i) => column(table, new RandomStream().seek(key, 0, first + i), n))
  const [a, b] = [matrix(0), matrix(tables.length)]
  const evaluate = expectedLoss(plan)
  const [fa, fb] = [evaluate(a, n), evaluate(b, n)]
  const { mean, variance } = pooled(fa, fb)
  if (!(variance > 0)) return []
  return inputs.map(({ pointer }, i) => {
    const mixed = evaluate(
      a.map((values, j) => (j === i ? (b[i] ?? values) : values)),
      n,
    )
    return { pointer, ...estimate({ fa, fb, mixed, mean, variance }) }
  })
}

function column(table: QuantileTable, stream: RandomStream, n: number): Float64Array {
  const values = new Float64Array(n)
  fillDraws(table, stream, values, n)
  return values
}

type Evaluate = (columns: readonly Float64Array[], n: number) => Float64Array

/** Rate × (primary losses + secondary probability × secondary losses), row by row. */
function expectedLoss(plan: ScenarioPlan): Evaluate {
  const rates = plan.rateFactors.length
  const yearly = plan.yearlyResistance === null ? 0 : 2
  const capability = plan.yearlyResistance === null ? null : lawOf(plan.yearlyResistance.capability)
  const losses = plan.losses.length
  return (columns, n) => {
    const result = new Float64Array(n)
    for (let row = 0; row < n; row += 1) {
      const at = (i: number): number => columns[i]?.[row] ?? 0
      let rate = plan.rateScale
      for (let i = 0; i < rates; i += 1) rate *= at(i)
      if (capability !== null) rate *= 1 - capability.cdf(at(rates + 1))
      const first = rates + yearly
      let loss = 0
      for (let i = 0; i < losses; i += 1) loss += at(first + i)
      let secondary = 0
      for (let i = first + losses + 1; i < columns.length; i += 1) secondary += at(i)
      if (secondary > 0) loss += at(first + losses) * secondary
      result[row] = rate * loss
    }
    return result
  }
}

function pooled(fa: Float64Array, fb: Float64Array): { readonly mean: number; readonly variance: number } {
  let sum = 0
  for (const values of [fa, fb]) for (const value of values) sum += value
  const mean = sum / (2 * fa.length)
  let square = 0
  for (const values of [fa, fb]) for (const value of values) square += (value - mean) ** 2
  return { mean, variance: square / (2 * fa.length - 1) }
}

function estimate(sample: {
  readonly fa: Float64Array
  readonly fb: Float64Array
  readonly mixed: Float64Array
  readonly mean: number
  readonly variance: number
}): Omit<SobolIndex, 'pointer'> {
  const { fa, fb, mixed, mean, variance } = sample
  const n = fa.length
  const first = (i: number): number => ((fb[i] ?? 0) - mean) * ((mixed[i] ?? 0) - (fa[i] ?? 0))
  const total = (i: number): number => 0.5 * ((fa[i] ?? 0) - (mixed[i] ?? 0)) ** 2
  const spread = (i: number): number => 0.5 * (((fa[i] ?? 0) - mean) ** 2 + ((fb[i] ?? 0) - mean) ** 2)
  const ratio = (term: (i: number) => number): readonly [number, number] => {
    let sum = 0
    for (let i = 0; i < n; i += 1) sum += term(i)
    const index = sum / n / variance
    let square = 0
    for (let i = 0; i < n; i += 1) square += (term(i) - index * spread(i)) ** 2
    return [index, Math.sqrt(square) / n / variance]
  }
  const [[s, se], [t, te]] = [ratio(first), ratio(total)]
  return { first: s, firstStandardError: se, total: t, totalStandardError: te }
}
