import { type QuantileTable, tableOfLaw } from '../distributions/table.ts'
import { normalQuantile } from '../numeric/normal.ts'
import { RandomStream, type SeedKey } from '../random/stream.ts'
import { draw } from '../sampling/kernels.ts'
import { blockYears } from '../sampling/simulate.ts'

/** Stream numbers of the copula, above those of any model. */
export const copulaStreams = 0x80000000

let normalTable: QuantileTable | undefined

/** Standard normal draws by an inverse table. */
export function standardNormal(): QuantileTable {
  normalTable ??= tableOfLaw({
    low: Number.NEGATIVE_INFINITY,
    high: Number.POSITIVE_INFINITY,
    mean: 0,
    variance: 1,
    cdf: () => Number.NaN,
    quantile: normalQuantile,
    upperQuantile: (q) => -normalQuantile(q),
  })
  return normalTable
}

/** Correlated scores of one block: `scores[i]` for variable i. */
export class ScoreSampler {
  readonly scores: readonly Float64Array[]
  readonly #factor: readonly Float64Array[]
  readonly #key: SeedKey
  readonly #stream = new RandomStream()
  readonly #independent: readonly Float64Array[]

  /** @param yearly number of leading variables drawn once a year; scores of the others get the share of these only. */
  constructor(factor: readonly Float64Array[], key: SeedKey, yearly: number = factor.length) {
    this.#factor = factor
    this.#key = key
    this.scores = factor.map(() => new Float64Array(blockYears))
    this.#independent = factor.slice(0, yearly).map(() => new Float64Array(blockYears))
  }

  fill(block: number, years: number): void {
    const table = standardNormal()
    this.#independent.forEach((values, i) => {
      const stream = this.#stream.seek(this.#key, block, copulaStreams + i)
      for (let year = 0; year < years; year += 1) values[year] = draw(table, stream)
    })
    this.scores.forEach((score, i) => {
      score.fill(0)
      for (let j = 0; j <= i && j < this.#independent.length; j += 1)
        addMultiple(score, this.#independent[j] ?? score, this.#factor[i]?.[j] ?? 0, years)
    })
  }
}

/** Adds a multiple of the first values to the target. */
export function addMultiple(target: Float64Array, values: Float64Array, factor: number, years: number): void {
  if (factor === 0) return
  for (let i = 0; i < years; i += 1) target[i] = (target[i] ?? 0) + factor * (values[i] ?? 0)
}
