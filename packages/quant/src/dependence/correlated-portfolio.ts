import { type Distribution, ModelError } from '../distributions/specification.ts'
import { type QuantileTable, tableOfLaw } from '../distributions/table.ts'
import type { ScenarioPlan } from '../loss/fair-model.ts'
import { normalQuantile } from '../numeric/normal.ts'
import { RandomStream, type SeedKey, seedKey } from '../random/stream.ts'
import { draw } from '../sampling/kernels.ts'
import { type CompiledScenario, compileScenario } from '../sampling/scenario.ts'
import { BlockSampler, blockCount, blockYears, type Simulation } from '../sampling/simulate.ts'
import { type CorrelationInput, factorCorrelation } from './correlation.ts'
import { type NormalTable, normalTableOf, valueAtScore } from './normal-table.ts'

/** A correlated yearly variable: a scenario and the JSON pointer of one of its uncertain yearly factors. */
export interface CorrelatedVariable {
  readonly scenario: number
  /** Such as `/nodes/loss_event_frequency`. */
  readonly pointer: string
}

export interface CorrelatedSettings extends CorrelationInput {
  readonly plans: readonly ScenarioPlan[]
  readonly variables: readonly CorrelatedVariable[]
  readonly iterations: number
  /** Unsigned 64-bit integer as a decimal string. */
  readonly seed: string
}

/** Stream numbers of the copula, above those of any model. */
const copulaStreams = 0x80000000

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

  constructor(factor: readonly Float64Array[], key: SeedKey) {
    this.#factor = factor
    this.#key = key
    this.scores = factor.map(() => new Float64Array(blockYears))
    this.#independent = factor.map(() => new Float64Array(blockYears))
  }

  fill(block: number, years: number): void {
    const table = standardNormal()
    this.#independent.forEach((values, i) => {
      const stream = this.#stream.seek(this.#key, block, copulaStreams + i)
      for (let year = 0; year < years; year += 1) values[year] = draw(table, stream)
    })
    this.scores.forEach((score, i) => {
      score.fill(0)
      for (let j = 0; j <= i; j += 1)
        addMultiple(score, this.#independent[j] ?? score, this.#factor[i]?.[j] ?? 0, years)
    })
  }
}

function addMultiple(target: Float64Array, values: Float64Array, factor: number, years: number): void {
  if (factor === 0) return
  for (let i = 0; i < years; i += 1) target[i] = (target[i] ?? 0) + factor * (values[i] ?? 0)
}

interface CorrelatedFactor {
  readonly table: NormalTable
  readonly score: Float64Array
}

/**
 * Portfolio whose yearly parameters are joined by a Gaussian copula; everything else is drawn as for an independent one,
 * so that each scenario keeps its own law.
 * @throws ModelError for a variable that is unknown, constant or named twice, CorrelationError for the matrix.
 */
export function createCorrelatedSimulation(settings: CorrelatedSettings): Simulation & { readonly distance: number } {
  const { plans, variables, iterations } = settings
  const { factor, distance } = factorCorrelation(settings, '/correlation/spearman')
  if (factor.length !== variables.length)
    throw new ModelError('/correlation/variables', 'There must be one row of correlations for each variable.')
  const key = seedKey(settings.seed)
  const scores = new ScoreSampler(factor, key)
  const factors = correlatedFactors(plans, variables, scores.scores)
  const scenarios = plans.map(compileScenario).map((scenario, i) => withoutFactors(scenario, factors[i]))
  const sampler = new BlockSampler(key, false)
  return {
    distance,
    blocks: blockCount(iterations),
    inaccurate: scenarios.flatMap(({ inaccurate }, i) => inaccurate.map((pointer) => `/plans/${i}${pointer}`)),
    run: (from, to, aborted = () => false, parts) => {
      const start = from * blockYears
      const losses = new Float64Array(Math.max(0, Math.min(iterations, to * blockYears) - start))
      for (let block = from; block < to; block += 1) {
        const at = (block - from) * blockYears
        if (aborted()) return losses.slice(0, at)
        const years = Math.min(blockYears, losses.length - at)
        scores.fill(block, years)
        let firstStream = 0
        scenarios.forEach((scenario, i) => {
          sampler.drawRates(scenario, block, firstStream, years)
          for (const { table, score } of (factors[i] ?? new Map()).values())
            multiplyScores(sampler.rates, table, score, years)
          const loss = sampler.sampleGivenRates(scenario, block, firstStream, years)
          firstStream += scenario.streams
          addMultiple(losses.subarray(at, at + years), loss, 1, years)
          parts?.[i]?.set(loss.subarray(0, years), at)
        })
      }
      return losses
    },
  }
}

function multiplyScores(rates: Float64Array, table: NormalTable, score: Float64Array, years: number): void {
  for (let i = 0; i < years; i += 1) rates[i] = (rates[i] ?? 0) * valueAtScore(table, score[i] ?? 0)
}

/** Without the factors that the copula draws. */
function withoutFactors(
  scenario: CompiledScenario,
  drawn: ReadonlyMap<string, CorrelatedFactor> | undefined,
): CompiledScenario {
  return { ...scenario, rateFactors: scenario.rateFactors.filter(({ pointer }) => drawn?.has(pointer) !== true) }
}

function correlatedFactors(
  plans: readonly ScenarioPlan[],
  variables: readonly CorrelatedVariable[],
  scores: readonly Float64Array[],
): readonly ReadonlyMap<string, CorrelatedFactor>[] {
  const factors = plans.map(() => new Map<string, CorrelatedFactor>())
  variables.forEach(({ scenario, pointer }, i) => {
    const at = `/correlation/variables/${i}`
    const found: Distribution | undefined = plans[scenario]?.rateFactors.find(
      (each) => each.pointer === pointer,
    )?.distribution
    const known = factors[scenario]
    const score = scores[i]
    if (found === undefined || known === undefined || score === undefined)
      throw new ModelError(at, `Scenario ${scenario} has no uncertain yearly parameter ${pointer}.`)
    if (known.has(pointer)) throw new ModelError(at, 'A variable may be named once only.')
    known.set(pointer, { table: normalTableOf(found), score })
  })
  return factors
}
