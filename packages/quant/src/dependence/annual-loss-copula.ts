import type { AnnualLossLaw } from '../loss/annual-loss-law.ts'
import { seedKey } from '../random/stream.ts'
import { blockCount, blockYears, type Simulation } from '../sampling/simulate.ts'
import { type CorrelationInput, factorCorrelation } from './correlation.ts'
import { normalTableOfLaw, valueAtScore } from './normal-table.ts'
import { ScoreSampler } from './score-sampler.ts'

export interface AnnualLossCopulaSettings extends CorrelationInput {
  /** Exact annual loss of each scenario; see `exactAnnualLoss`. */
  readonly laws: readonly AnnualLossLaw[]
  readonly iterations: number
  /** Unsigned 64-bit integer as a decimal string. */
  readonly seed: string
}

/** Portfolio whose annual losses are joined by a Gaussian copula, whatever the parameters behind them. */
export function createAnnualLossCopula(settings: AnnualLossCopulaSettings): Simulation & { readonly distance: number } {
  const { laws, iterations } = settings
  const { factor, distance } = factorCorrelation(settings, '/correlation/spearman')
  const sampler = new ScoreSampler(factor, seedKey(settings.seed))
  const tables = laws.map((law) =>
    normalTableOfLaw({ quantile: (p) => law.quantile(p), upperQuantile: (q) => law.quantile(1 - q) }),
  )
  return {
    distance,
    blocks: blockCount(iterations),
    inaccurate: [],
    run: (from, to, aborted = () => false, parts) => {
      const start = from * blockYears
      const losses = new Float64Array(Math.max(0, Math.min(iterations, to * blockYears) - start))
      for (let block = from; block < to; block += 1) {
        const at = (block - from) * blockYears
        if (aborted()) return losses.slice(0, at)
        const years = Math.min(blockYears, losses.length - at)
        sampler.fill(block, years)
        tables.forEach((table, i) => {
          const score = sampler.scores[i]
          const part = parts?.[i]
          for (let year = 0; year < years; year += 1) {
            const loss = Math.max(0, valueAtScore(table, score?.[year] ?? 0))
            losses[at + year] = (losses[at + year] ?? 0) + loss
            if (part !== undefined) part[at + year] = loss
          }
        })
      }
      return losses
    },
  }
}
