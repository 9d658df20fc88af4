import { RandomStream, type SeedKey } from '../random/stream.ts'
import { draw } from '../sampling/kernels.ts'
import { blockYears } from '../sampling/simulate.ts'
import { type NormalTable, valueAtScore } from './normal-table.ts'
import { copulaStreams, standardNormal } from './score-sampler.ts'

interface EventSettings {
  /** Cholesky factor, yearly variables first. */
  readonly factor: readonly Float64Array[]
  readonly key: SeedKey
  /** Number of yearly variables. */
  readonly yearly: number
  readonly variables: readonly { readonly scenario: number; readonly pointer: string }[]
  readonly factors: readonly ReadonlyMap<string, { readonly table: NormalTable }>[]
  /** Share of the yearly variables in the scores, by variable and year. */
  readonly scores: readonly Float64Array[]
}

interface EventVariable {
  readonly scenario: number
  readonly table: NormalTable
  readonly yearlyScore: Float64Array
  /** Row of the factor among losses. */
  readonly row: Float64Array
}

/** Draws correlated losses per event: those of the k-th events of a year's scenarios belong together. */
export class EventSampler {
  readonly #variables: readonly EventVariable[]
  readonly #counts: ReadonlyMap<number, Uint32Array>
  readonly #losses: ReadonlyMap<number, Float64Array>
  readonly #stream = new RandomStream()
  readonly #key: SeedKey
  readonly #independent: Float64Array

  constructor({ factor, key, yearly, variables, factors, scores }: EventSettings) {
    this.#key = key
    this.#variables = variables.flatMap(({ scenario, pointer }, i) => {
      const table = factors[scenario]?.get(pointer)?.table
      const [row, yearlyScore] = [factor[i]?.subarray(yearly), scores[i]]
      if (i < yearly || table === undefined || row === undefined || yearlyScore === undefined) return []
      return [{ scenario, table, yearlyScore, row }]
    })
    this.#counts = new Map(this.#variables.map(({ scenario }) => [scenario, new Uint32Array(blockYears)]))
    this.#losses = new Map(factors.map((_, scenario) => [scenario, new Float64Array(blockYears)]))
    this.#independent = new Float64Array(this.#variables.length)
  }

  /** Copies a scenario's counts and other losses; returns the array that `add` completes. */
  keep(scenario: number, counts: Uint32Array, losses: Float64Array): Float64Array {
    this.#counts.get(scenario)?.set(counts)
    const kept = this.#losses.get(scenario) ?? new Float64Array(blockYears)
    kept.set(losses)
    return kept
  }

  /** Adds the correlated losses of one block. */
  add(block: number, years: number): void {
    if (this.#variables.length === 0) return
    this.#stream.seek(this.#key, block, copulaStreams - 1)
    for (let year = 0; year < years; year += 1) {
      let most = 0
      for (const counts of this.#counts.values()) most = Math.max(most, counts[year] ?? 0)
      for (let event = 0; event < most; event += 1) this.#addEvent(year, event)
    }
  }

  #addEvent(year: number, event: number): void {
    const independent = this.#independent
    const normal = standardNormal()
    for (let i = 0; i < independent.length; i += 1) independent[i] = draw(normal, this.#stream)
    for (let i = 0; i < independent.length; i += 1) {
      const variable = this.#variables[i]
      if (variable === undefined || event >= (this.#counts.get(variable.scenario)?.[year] ?? 0)) continue
      let score = variable.yearlyScore[year] ?? 0
      for (let j = 0; j <= i; j += 1) score += (variable.row[j] ?? 0) * (independent[j] ?? 0)
      const losses = this.#losses.get(variable.scenario)
      if (losses !== undefined) losses[year] = (losses[year] ?? 0) + valueAtScore(variable.table, score)
    }
  }
}
