import type { QuantileTable } from '../distributions/table.ts'
import type { ScenarioPlan } from '../loss/fair-model.ts'
import { RandomStream, type SeedKey } from '../random/stream.ts'
import { bernoulliCounts, draw, fillDraws, multiplyDraws, poissonCounts } from '../sampling/kernels.ts'
import { type CompiledScenario, compileScenario, type Variable } from '../sampling/scenario.ts'
import { BlockSampler, blockYears } from '../sampling/simulate.ts'
import type { ControlledNode } from './control-effect.ts'

export interface ControlTables {
  readonly node: ControlledNode
  /** Efficacy, coverage and reliability. */
  readonly factors: readonly QuantileTable[]
  /** For a control of resistance: share of the vulnerability left at acting values of equal steps from 0 to 1. */
  readonly remaining: Float64Array | null
}

/** Stream numbers of controls, above those of any model. */
const controlStreams = 0x40000000
/** Fate of an event: none, only without the controls, or with them too. */
const [lost, kept] = [1, 2]

/** Shares of each node that the controls leave, by year. */
interface Remaining {
  readonly rate: Float64Array
  readonly primary: Float64Array
  readonly secondaryProbability: Float64Array
  readonly secondary: Float64Array
}

/** Samples the same years without and with controls. */
export class PairedSampler {
  readonly #scenario: CompiledScenario
  readonly #controls: readonly ControlTables[]
  readonly #key: SeedKey
  readonly #stream = new RandomStream()
  readonly #rates: BlockSampler
  readonly #acting = new Float64Array(blockYears)
  readonly #factor = new Float64Array(blockYears)
  readonly #probabilities = new Float64Array(blockYears)
  readonly #remaining: Remaining = {
    rate: new Float64Array(blockYears),
    primary: new Float64Array(blockYears),
    secondaryProbability: new Float64Array(blockYears),
    secondary: new Float64Array(blockYears),
  }
  #fates = new Uint8Array(4 * blockYears)

  constructor(plan: ScenarioPlan, controls: readonly ControlTables[], key: SeedKey) {
    this.#scenario = compileScenario(plan)
    this.#controls = controls
    this.#key = key
    this.#rates = new BlockSampler(key, false)
  }

  /** Writes the losses of one block's years. */
  sample(block: number, without: Float64Array, withControls: Float64Array): void {
    const years = without.length
    const scenario = this.#scenario
    const { rates, counts } = this.#rates
    this.#drawRemaining(block, years)
    this.#rates.drawRates(scenario, block, 0, years)
    if (scenario.dispersion !== null)
      multiplyDraws(scenario.dispersion.table, this.#seek(block, scenario.dispersion.stream), rates, years)
    if (scenario.count.law === 'annual_loss') counts.fill(1, 0, years)
    else if (scenario.count.law === 'bernoulli')
      bernoulliCounts(this.#seek(block, scenario.countStream), rates, counts, years)
    else poissonCounts(this.#seek(block, scenario.countStream), rates, counts, years)
    this.#decideFates(block, years)
    const add = (variables: readonly Variable[], shares: Float64Array): void => {
      for (const { table, stream } of variables)
        addPaired(table, this.#seek(block, stream), { counts, fates: this.#fates, shares, without, withControls })
    }
    add(scenario.losses, this.#remaining.primary)
    if (scenario.secondary === null) return
    this.#decideSecondary(scenario.secondary.probability, block, years)
    add(scenario.secondary.losses, this.#remaining.secondary)
  }

  #seek(block: number, stream: number): RandomStream {
    return this.#stream.seek(this.#key, block, stream)
  }

  #drawRemaining(block: number, years: number): void {
    for (const shares of Object.values(this.#remaining)) shares.fill(1, 0, years)
    this.#controls.forEach(({ node, factors, remaining }, i) => {
      this.#acting.fill(1, 0, years)
      factors.forEach((table, j) => {
        fillDraws(table, this.#seek(block, controlStreams + 3 * i + j), this.#factor, years)
        for (let year = 0; year < years; year += 1)
          this.#acting[year] = (this.#acting[year] ?? 0) * (this.#factor[year] ?? 0)
      })
      const shares = this.#sharesOf(node)
      for (let year = 0; year < years; year += 1) {
        const acting = this.#acting[year] ?? 0
        shares[year] = (shares[year] ?? 0) * (remaining === null ? 1 - acting : interpolate(remaining, acting))
      }
    })
  }

  #sharesOf(node: ControlledNode): Float64Array {
    if (node === 'primary_loss') return this.#remaining.primary
    if (node === 'secondary_loss_event_frequency') return this.#remaining.secondaryProbability
    return node === 'secondary_loss_magnitude' ? this.#remaining.secondary : this.#remaining.rate
  }

  #decideFates(block: number, years: number): void {
    const { counts } = this.#rates
    let total = 0
    for (let year = 0; year < years; year += 1) total += counts[year] ?? 0
    if (this.#fates.length < total) this.#fates = new Uint8Array(2 * total)
    const stream = this.#seek(block, controlStreams - 1)
    let event = 0
    for (let year = 0; year < years; year += 1) {
      const threshold = (this.#remaining.rate[year] ?? 0) * 0x100000000
      for (let n = counts[year] ?? 0; n > 0; n -= 1) {
        this.#fates[event] = stream.next() >>> 0 < threshold ? kept : lost
        event += 1
      }
    }
  }

  /** Turns the fates of events into those of their secondary losses. */
  #decideSecondary({ table, stream: number }: Variable, block: number, years: number): void {
    fillDraws(table, this.#seek(block, number), this.#probabilities, years)
    const stream = this.#seek(block, this.#scenario.thinningStream)
    let event = 0
    for (let year = 0; year < years; year += 1) {
      const threshold = (this.#probabilities[year] ?? 0) * 0x100000000
      const lowered = threshold * (this.#remaining.secondaryProbability[year] ?? 0)
      for (let n = this.#rates.counts[year] ?? 0; n > 0; n -= 1) {
        const word = stream.next() >>> 0
        if (word >= threshold) this.#fates[event] = 0
        else if (word >= lowered) this.#fates[event] = lost
        event += 1
      }
    }
  }
}

function interpolate(values: Float64Array, share: number): number {
  const position = share * (values.length - 1)
  const i = Math.min(values.length - 2, Math.floor(position))
  return (values[i] ?? 0) + (position - i) * ((values[i + 1] ?? 0) - (values[i] ?? 0))
}

function addPaired(
  table: QuantileTable,
  stream: RandomStream,
  block: {
    readonly counts: Uint32Array
    readonly fates: Uint8Array
    readonly shares: Float64Array
    readonly without: Float64Array
    readonly withControls: Float64Array
  },
): void {
  const { counts, fates, shares, without, withControls } = block
  let event = 0
  for (let year = 0; year < without.length; year += 1) {
    let all = 0
    let remaining = 0
    for (let n = counts[year] ?? 0; n > 0; n -= 1) {
      const fate = fates[event] ?? 0
      event += 1
      if (fate === 0) continue
      const loss = draw(table, stream)
      all += loss
      if (fate === kept) remaining += loss
    }
    without[year] = (without[year] ?? 0) + all
    withControls[year] = (withControls[year] ?? 0) + remaining * (shares[year] ?? 0)
  }
}
