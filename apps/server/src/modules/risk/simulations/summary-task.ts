import { allocateTail, blockYears, type LossSummary, relativeError, summarize, summarizeControls } from '@parapet/quant'
import { sha256 } from '../../../kernel/crypto/digest.ts'
import type { ThreadTask } from '../../../kernel/threads/thread-task.ts'
import type { SimulatedResult } from '../fair/result-schema.ts'
import type { ControlRoi, Inputs } from './schema.ts'
import { type SharedLosses, yearsOf } from './shared-losses.ts'
import { statisticsOf } from './statistics.ts'

export interface LossesToSummarize {
  readonly inputs: Inputs
  readonly losses: SharedLosses
  /** Years from the first one that count. */
  readonly years: number
}

export interface Summary {
  readonly statistics: SimulatedResult
  /** Parts of the TVaR at 95 % by scenario, of a portfolio. */
  readonly allocation: {
    readonly means: readonly number[]
    readonly contributions: readonly number[]
    readonly standalone: readonly number[]
    readonly benefit: number
    readonly tvar: number
  } | null
  readonly controls: Omit<ControlRoi, 'choice'> | null
  /** Of the vector of losses, little-endian doubles in the order of the years. */
  readonly sha256: string
}

export const summarizeLosses: ThreadTask<LossesToSummarize, Summary> = {
  name: 'risk.summarize_losses',
  run: ({ inputs, losses, years }) => {
    const total = yearsOf(losses.total, years)
    const parts = losses.parts.map((part) => yearsOf(part, years))
    const isStratified = inputs.sampling === 'latin_hypercube'
    return {
      statistics: statisticsOf(summarize(total, isStratified ? blockYears : undefined)),
      allocation: inputs.kind === 'portfolio' ? allocationOf(parts, total) : null,
      controls: inputs.kind === 'control_roi' ? controlsOf(inputs, total, parts[0] ?? total) : null,
      sha256: sha256(new Uint8Array(losses.total, 0, years * Float64Array.BYTES_PER_ELEMENT)),
    }
  },
}

function allocationOf(parts: readonly Float64Array[], total: Float64Array): Summary['allocation'] {
  const { contributions, standalone, diversificationBenefit, tvar } = allocateTail(parts, total, 0.95)
  return { means: parts.map(meanOf), contributions, standalone, benefit: diversificationBenefit, tvar }
}

function meanOf(losses: Float64Array): number {
  let sum = 0
  for (const loss of losses) sum += loss
  return sum / losses.length
}

function controlsOf(inputs: Inputs, without: Float64Array, withControls: Float64Array): Omit<ControlRoi, 'choice'> {
  const cost = inputs.controls.reduce((sum, control) => sum + control.cost, 0)
  const effect = summarizeControls({ without, with: withControls }, cost)
  const tail = (summary: LossSummary) => summary.tails.find(({ level }) => level === 0.95)
  return {
    cost,
    avoided_mean: effect.avoided.mean,
    avoided_standard_error: effect.avoided.standardError,
    avoided_quantiles: effect.avoided.quantiles.map(({ p, value }) => ({ p, value })),
    roi: effect.roi,
    probability_of_gain: effect.probabilityOfGain,
    with_mean: effect.with.mean,
    with_var95: tail(effect.with)?.var ?? 0,
    with_tvar95: tail(effect.with)?.tvar ?? 0,
    var95_change: effect.var95Change,
  }
}

/** Whether the years so far give the statistic as exactly as was asked. */
export const meetsTarget: ThreadTask<LossesToSummarize, boolean> = {
  name: 'risk.meets_target',
  run: ({ inputs: { target, sampling }, losses, years }) => {
    if (target === null) return false
    const summary = summarize(yearsOf(losses.total, years), sampling === 'latin_hypercube' ? blockYears : undefined)
    return relativeError(summary, target.statistic) <= target.relative_error
  },
}
