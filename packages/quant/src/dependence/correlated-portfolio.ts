import { lawOf } from '../distributions/law.ts'
import { type Distribution, ModelError } from '../distributions/specification.ts'
import type { ScenarioPlan } from '../loss/fair-model.ts'
import { seedKey } from '../random/stream.ts'
import { type CompiledScenario, compileScenario } from '../sampling/scenario.ts'
import { BlockSampler, blockCount, blockYears, type Simulation } from '../sampling/simulate.ts'
import { type CorrelationInput, factorCorrelation } from './correlation.ts'
import { EventSampler } from './event-sampler.ts'
import { type NormalTable, normalTableOf, valueAtScore } from './normal-table.ts'
import { addMultiple, ScoreSampler } from './score-sampler.ts'

/**
 * A correlated variable of a scenario: an uncertain yearly factor of its rate, such as `/nodes/loss_event_frequency`, or
 * a loss per event, such as `/nodes/primary_loss`. Losses of the first, second, … events of a year are joined with each
 * other across scenarios, and all of them with the year's rates.
 */
export interface CorrelatedVariable {
  readonly scenario: number
  /** JSON pointer of the variable in its model. */
  readonly pointer: string
}

export interface CorrelatedSettings extends CorrelationInput {
  readonly plans: readonly ScenarioPlan[]
  readonly variables: readonly CorrelatedVariable[]
  readonly iterations: number
  /** Unsigned 64-bit integer as a decimal string. */
  readonly seed: string
}

interface CorrelatedFactor {
  readonly table: NormalTable
  readonly score: Float64Array
}

/**
 * Portfolio whose yearly parameters and losses are joined by a Gaussian copula; everything else is drawn as for an
 * independent one. Without correlation between rates and losses each scenario keeps its own law.
 * @throws ModelError for a variable that is unknown, constant or named twice, CorrelationError for the matrix.
 */
export function createCorrelatedSimulation(settings: CorrelatedSettings): Simulation & { readonly distance: number } {
  const { plans, iterations } = settings
  const { variables, yearly, spearman } = yearlyFirst(settings)
  const { factor, distance } = factorCorrelation({ ...settings, spearman }, '/correlation/spearman')
  const key = seedKey(settings.seed)
  const scores = new ScoreSampler(factor, key, yearly)
  const factors = correlatedFactors(plans, variables, scores.scores)
  const scenarios = plans.map(compileScenario).map((scenario, i) => withoutFactors(scenario, factors[i]))
  const sampler = new BlockSampler(key, false)
  const events = new EventSampler({ factor, key, yearly, variables, factors, scores: scores.scores })
  return {
    distance,
    blocks: blockCount(iterations),
    inaccurate: scenarios.flatMap(({ inaccurate }, i) => inaccurate.map((pointer) => `/plans/${i}${pointer}`)),
    run: (from, to, aborted = () => false, parts) => {
      const losses = new Float64Array(Math.max(0, Math.min(iterations, to * blockYears) - from * blockYears))
      for (let block = from; block < to; block += 1) {
        if (aborted()) return losses.slice(0, (block - from) * blockYears)
        const at = (block - from) * blockYears
        const years = Math.min(blockYears, losses.length - at)
        scores.fill(block, years)
        let firstStream = 0
        const ofScenarios = scenarios.map((scenario, i) => {
          sampler.drawRates(scenario, block, firstStream, years)
          for (const [pointer, { table, score }] of factors[i] ?? [])
            if (isYearly(plans[i], pointer)) multiplyScores(sampler.rates, table, score, years)
          const loss = sampler.sampleGivenRates(scenario, block, firstStream, years)
          firstStream += scenario.streams
          return events.keep(i, sampler.counts, loss)
        })
        events.add(block, years)
        ofScenarios.forEach((loss, i) => {
          addMultiple(losses.subarray(at, at + years), loss, 1, years)
          parts?.[i]?.set(loss.subarray(0, years), at)
        })
      }
      return losses
    },
  }
}

function isYearly(plan: ScenarioPlan | undefined, pointer: string): boolean {
  return plan?.rateFactors.some((factor) => factor.pointer === pointer) === true
}

/** Yearly variables before losses, their correlations in the same order. */
function yearlyFirst({ plans, variables, spearman }: CorrelatedSettings): {
  readonly variables: readonly CorrelatedVariable[]
  readonly yearly: number
  readonly spearman: CorrelatedSettings['spearman']
} {
  if (spearman.length !== variables.length || spearman.some((row) => row.length !== variables.length))
    throw new ModelError('/correlation/spearman', 'There must be one row and column for each variable.')
  const indexes = variables.map((_, i) => i)
  const once = indexes.filter((i) => isYearly(plans[variables[i]?.scenario ?? -1], variables[i]?.pointer ?? ''))
  const order = [...once, ...indexes.filter((i) => !once.includes(i))]
  return {
    variables: order.flatMap((i) => variables[i] ?? []),
    yearly: once.length,
    spearman: order.map((i) => order.map((j) => spearman[i]?.[j] ?? Number.NaN)),
  }
}

function multiplyScores(rates: Float64Array, table: NormalTable, score: Float64Array, years: number): void {
  for (let i = 0; i < years; i += 1) rates[i] = (rates[i] ?? 0) * valueAtScore(table, score[i] ?? 0)
}

/** Without the variables that the copula draws. */
function withoutFactors(
  scenario: CompiledScenario,
  drawn: ReadonlyMap<string, CorrelatedFactor> | undefined,
): CompiledScenario {
  const isLeft = ({ pointer }: { readonly pointer: string }): boolean => drawn?.has(pointer) !== true
  return {
    ...scenario,
    rateFactors: scenario.rateFactors.filter(isLeft),
    losses: scenario.losses.filter(isLeft),
  }
}

function correlatedFactors(
  plans: readonly ScenarioPlan[],
  variables: readonly CorrelatedVariable[],
  scores: readonly Float64Array[],
): readonly ReadonlyMap<string, CorrelatedFactor>[] {
  const factors = plans.map(() => new Map<string, CorrelatedFactor>())
  variables.forEach(({ scenario, pointer }, i) => {
    const plan = plans[scenario]
    const found = [...(plan?.rateFactors ?? []), ...(plan?.losses ?? [])].find((each) => each.pointer === pointer)
    const known = factors[scenario]
    const score = scores[i]
    const wrong = (message: string): ModelError => new ModelError('/correlation/variables', message)
    if (found === undefined || known === undefined || score === undefined || isConstant(found.distribution))
      throw wrong(`Scenario ${scenario} has no uncertain rate or loss ${pointer}.`)
    if (known.has(pointer)) throw wrong(`${pointer} of scenario ${scenario} is named twice.`)
    known.set(pointer, { table: normalTableOf(found.distribution), score })
  })
  return factors
}

function isConstant(distribution: Distribution): boolean {
  const { low, high } = lawOf(distribution)
  return low === high
}
