import { lawOf } from '../distributions/law.ts'
import { type Distribution, ModelError } from '../distributions/specification.ts'
import { type QuantileTable, tableOf } from '../distributions/table.ts'
import type { FairModel } from '../loss/fair-model.ts'
import { planOf } from '../loss/plan.ts'
import { vulnerabilityOf } from '../loss/vulnerability.ts'
import { seedKey } from '../random/stream.ts'
import { blockCount, blockYears } from '../sampling/simulate.ts'
import { type LossSummary, summarize } from '../summary/summary.ts'
import { type ControlTables, PairedSampler } from './paired-sampler.ts'

/** Node of the FAIR tree that a control acts on. */
export type ControlledNode =
  | 'contact_frequency'
  | 'probability_of_action'
  | 'resistance_strength'
  | 'primary_loss'
  | 'secondary_loss_event_frequency'
  | 'secondary_loss_magnitude'

/**
 * A control. Its acting value efficacy × coverage × reliability, drawn once a year, lowers the node by that share, or
 * moves resistance by that share of the way to the top of the common scale of capability and resistance.
 */
export interface Control {
  readonly id: string
  readonly node: ControlledNode
  readonly efficacy: Distribution
  readonly coverage: Distribution
  readonly reliability: Distribution
  /** Cost a year, 0 or more. */
  readonly cost: number
}

export interface ControlSettings {
  readonly model: FairModel
  /** Act together. */
  readonly controls: readonly Control[]
  readonly iterations: number
  /** Unsigned 64-bit integer as a decimal string. */
  readonly seed: string
}

/** Losses of the same simulated years without and with the controls; the second is never greater. */
export interface ControlSimulation {
  readonly blocks: number
  run(
    from: number,
    to: number,
    aborted?: () => boolean,
  ): { readonly without: Float64Array; readonly with: Float64Array }
}

/**
 * Simulates a model without and with controls under common random numbers: the controls remove events and lower losses
 * of the same years (thinning of a Poisson, negative binomial or Bernoulli count keeps its law).
 * @throws ModelError for an invalid model or control.
 */
export function createControlSimulation({ model, controls, iterations, seed }: ControlSettings): ControlSimulation {
  const plan = planOf(model)
  const tables = controls.map((control, i) => controlTables(model, control, `/controls/${i}`))
  const sampler = new PairedSampler(plan, tables, seedKey(seed))
  return {
    blocks: blockCount(iterations),
    run: (from, to, aborted = () => false) => {
      const start = from * blockYears
      const size = Math.max(0, Math.min(iterations, to * blockYears) - start)
      const result = { without: new Float64Array(size), with: new Float64Array(size) }
      for (let block = from; block < to; block += 1) {
        const at = (block - from) * blockYears
        if (aborted()) return { without: result.without.slice(0, at), with: result.with.slice(0, at) }
        sampler.sample(block, result.without.subarray(at, at + blockYears), result.with.subarray(at, at + blockYears))
      }
      return result
    },
  }
}

function controlTables(model: FairModel, control: Control, pointer: string): ControlTables {
  const factor = (name: 'efficacy' | 'coverage' | 'reliability'): QuantileTable => {
    const law = lawOf(control[name], `${pointer}/${name}`)
    if (law.low < 0 || law.high > 1) throw new ModelError(`${pointer}/${name}`, `${name} is a share of 0 to 1.`)
    return tableOf(control[name])
  }
  if (!(control.cost >= 0 && control.cost < Number.POSITIVE_INFINITY))
    throw new ModelError(`${pointer}/cost`, 'A cost is 0 or more.')
  if (!isDerivedWith(model, control.node))
    throw new ModelError(`${pointer}/node`, `The model does not use ${control.node}.`)
  return {
    node: control.node,
    factors: [factor('efficacy'), factor('coverage'), factor('reliability')],
    remaining: control.node === 'resistance_strength' ? remainingVulnerability(model, pointer) : null,
  }
}

function isDerivedWith({ nodes }: FairModel, node: ControlledNode): boolean {
  return nodes[node] !== undefined
}

const steps = 256

/** Vulnerability at acting values 0, 1/256, …, 1 over that at 0. */
function remainingVulnerability({ nodes, resistance_scope: scope }: FairModel, pointer: string): Float64Array {
  const { threat_capability: capability, resistance_strength: resistance } = nodes
  if (scope === 'per_year' || capability === undefined || resistance === undefined)
    throw new ModelError(`${pointer}/node`, 'A control of resistance needs resistance drawn for each event.')
  const [c, r] = [lawOf(capability), lawOf(resistance)]
  const top = Math.max(c.high, r.high)
  if (top === Number.POSITIVE_INFINITY)
    throw new ModelError(`${pointer}/node`, 'A control of resistance needs a bounded scale.')
  const at = (a: number): number => {
    const moved = (x: number): number => x + a * (top - x)
    return a === 1
      ? 0
      : vulnerabilityOf(c, {
          ...r,
          cdf: (x) => r.cdf((x - a * top) / (1 - a)),
          quantile: (p) => moved(r.quantile(p)),
          ...(r.atoms === undefined ? {} : { atoms: { ...r.atoms, values: r.atoms.values.map(moved) } }),
        })
  }
  const base = at(0)
  return Float64Array.from({ length: steps + 1 }, (_, i) => (base > 0 ? Math.min(1, at(i / steps) / base) : 0))
}

export interface ControlEffect {
  readonly without: LossSummary
  readonly with: LossSummary
  /** Distribution over years of the loss that the controls avoid. */
  readonly avoided: LossSummary
  readonly cost: number
  /** (mean avoided loss - cost) / cost; null without cost. */
  readonly roi: number | null
  /** Probability that a year's avoided loss exceeds the cost. */
  readonly probabilityOfGain: number
  /** 95 % value at risk with the controls less that without. */
  readonly var95Change: number
}

/** Statistics of a finished control simulation. */
export function summarizeControls(
  losses: { readonly without: Float64Array; readonly with: Float64Array },
  cost: number,
): ControlEffect {
  const avoided = losses.without.map((loss, i) => Math.max(0, loss - (losses.with[i] ?? 0)))
  const [before, after, saved] = [summarize(losses.without), summarize(losses.with), summarize(avoided)]
  let gains = 0
  for (const loss of avoided) if (loss > cost) gains += 1
  const var95 = (summary: LossSummary): number => summary.tails.find(({ level }) => level === 0.95)?.var ?? 0
  return {
    without: before,
    with: after,
    avoided: saved,
    cost,
    roi: cost > 0 ? (saved.mean - cost) / cost : null,
    probabilityOfGain: gains / avoided.length,
    var95Change: var95(after) - var95(before),
  }
}
