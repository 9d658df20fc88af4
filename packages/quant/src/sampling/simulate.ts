import type { ScenarioPlan } from '../loss/fair-model.ts'
import { RandomStream, type SeedKey, seedKey } from '../random/stream.ts'
import { addEventLosses, bernoulliCounts, multiplyDraws, poissonCounts, thinCounts } from './kernels.ts'
import { fillStratified } from './latin-hypercube.ts'
import { type CompiledScenario, compileScenario, type Variable } from './scenario.ts'

/** Years of a block, the unit of work, progress and cancellation. */
export const blockYears = 4_096

export interface SimulationSettings {
  /** Scenarios of a portfolio; a year's loss is their sum. */
  readonly plans: readonly ScenarioPlan[]
  /** Years. */
  readonly iterations: number
  /** Unsigned 64-bit integer as a decimal string. */
  readonly seed: string
  /** How yearly parameters are drawn; default `pseudo`. */
  readonly sampling?: 'pseudo' | 'latin_hypercube'
}

/** Number of blocks of a simulation; the last one may be shorter. */
export function blockCount(iterations: number): number {
  return Math.ceil(iterations / blockYears)
}

/** A simulation that can run any range of its blocks. Equal settings give equal bits for any division into ranges. */
export interface Simulation {
  readonly blocks: number
  /** Pointers of variables whose table could not keep the moments of its law: `/plans/0/nodes/...`. */
  readonly inaccurate: readonly string[]
  /**
   * Losses of the blocks [from, to), one number a year, in an array whose buffer may be transferred.
   * @param aborted asked before every block; true ends the run with the blocks done so far.
   * @param parts receives the loss of each scenario: `parts[i]` as long as the result.
   */
  run(from: number, to: number, aborted?: () => boolean, parts?: readonly Float64Array[]): Float64Array
}

/** Prepares tables and buffers. @throws RangeError for a seed or a number of iterations out of range. */
export function createSimulation(settings: SimulationSettings): Simulation {
  const { plans, iterations, sampling = 'pseudo' } = settings
  if (!(Number.isInteger(iterations) && iterations >= 1 && iterations <= 100_000_000))
    throw new RangeError('The number of iterations is 1 to 100,000,000.')
  const scenarios = plans.map(compileScenario)
  const sampler = new BlockSampler(seedKey(settings.seed), sampling === 'latin_hypercube')
  const blocks = blockCount(iterations)
  return {
    blocks,
    inaccurate: scenarios.flatMap(({ inaccurate }, i) => inaccurate.map((pointer) => `/plans/${i}${pointer}`)),
    run: (from, to, aborted = () => false, parts) => {
      const start = from * blockYears
      const losses = new Float64Array(Math.max(0, Math.min(iterations, to * blockYears) - start))
      for (let block = from; block < to; block += 1) {
        const at = (block - from) * blockYears
        if (aborted()) return losses.slice(0, at)
        runBlock(sampler, { scenarios, block, losses: losses.subarray(at, at + blockYears), parts, at })
      }
      return losses
    },
  }
}

function runBlock(
  sampler: BlockSampler,
  work: {
    readonly scenarios: readonly CompiledScenario[]
    readonly block: number
    readonly losses: Float64Array
    readonly parts: readonly Float64Array[] | undefined
    readonly at: number
  },
): void {
  const { scenarios, block, losses, parts, at } = work
  let firstStream = 0
  scenarios.forEach((scenario, i) => {
    const loss = sampler.sample(scenario, block, firstStream, losses.length)
    firstStream += scenario.streams
    for (let year = 0; year < losses.length; year += 1) losses[year] = (losses[year] ?? 0) + (loss[year] ?? 0)
    parts?.[i]?.set(loss.subarray(0, losses.length), at)
  })
}

/** Buffers of one block, used again for every scenario and block. */
export class BlockSampler {
  readonly rates = new Float64Array(blockYears)
  readonly counts = new Uint32Array(blockYears)
  readonly #probabilities = new Float64Array(blockYears)
  readonly #kept = new Uint32Array(blockYears)
  readonly #losses = new Float64Array(blockYears)
  readonly #draws = new Float64Array(blockYears)
  readonly #order = new Uint32Array(blockYears)
  readonly #stream = new RandomStream()
  readonly #key: SeedKey
  readonly #stratified: boolean

  constructor(key: SeedKey, stratified: boolean) {
    this.#key = key
    this.#stratified = stratified
  }

  /** Losses of one scenario in the first `years` elements of an array that the next call overwrites. */
  sample(scenario: CompiledScenario, block: number, firstStream: number, years: number): Float64Array {
    this.drawRates(scenario, block, firstStream, years)
    return this.sampleGivenRates(scenario, block, firstStream, years)
  }

  /** Draws the year's rates into `rates`. */
  drawRates(scenario: CompiledScenario, block: number, firstStream: number, years: number): void {
    this.rates.fill(scenario.rateScale, 0, years)
    for (const factor of scenario.rateFactors) this.#multiply(this.rates, factor, block, firstStream, years)
  }

  /** Draws counts and losses for the rates in `rates`, which it changes. */
  sampleGivenRates(scenario: CompiledScenario, block: number, firstStream: number, years: number): Float64Array {
    const seek = (stream: number): RandomStream => this.#stream.seek(this.#key, block, firstStream + stream)
    if (scenario.dispersion !== null)
      multiplyDraws(scenario.dispersion.table, seek(scenario.dispersion.stream), this.rates, years)
    const law = scenario.count.law
    if (law === 'annual_loss') this.counts.fill(1, 0, years)
    else if (law === 'bernoulli') bernoulliCounts(seek(scenario.countStream), this.rates, this.counts, years)
    else poissonCounts(seek(scenario.countStream), this.rates, this.counts, years)
    const losses = this.#losses.fill(0, 0, years)
    for (const { table, stream } of scenario.losses) addEventLosses(table, seek(stream), this.counts, losses, years)
    if (scenario.secondary === null) return losses
    const { probability } = scenario.secondary
    this.#probabilities.fill(1, 0, years)
    this.#multiply(this.#probabilities, probability, block, firstStream, years)
    thinCounts(seek(scenario.thinningStream), this.#probabilities, this.counts, this.#kept, years)
    for (const { table, stream } of scenario.secondary.losses)
      addEventLosses(table, seek(stream), this.#kept, losses, years)
    return losses
  }

  #multiply(values: Float64Array, { table, stream }: Variable, block: number, first: number, years: number): void {
    const random = this.#stream.seek(this.#key, block, first + stream)
    if (!this.#stratified) {
      multiplyDraws(table, random, values, years)
      return
    }
    const draws = this.#draws
    fillStratified(table, random, draws, years, this.#order)
    for (let i = 0; i < years; i += 1) values[i] = (values[i] ?? 0) * (draws[i] ?? 0)
  }
}
