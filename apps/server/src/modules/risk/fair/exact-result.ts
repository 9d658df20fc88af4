/** Statistics of the exact law of annual loss. Pure. */
import { type AnnualLossLaw, exactAnnualLoss, exp, log, momentsOf, type ScenarioPlan } from '@parapet/quant'
import type { ExactResult } from './result-schema.ts'

const quantileLevels = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999] as const
const tailLevels = [0.9, 0.95, 0.99, 0.995] as const
const curvePoints = 200
const bins = 50

/**
 * Exact annual loss of one scenario: characteristic function, FFT and Gauss nodes over the yearly parameters. With more
 * than one year also the total loss of so many years, whose parameters are drawn independently.
 */
export function exactResult(plan: ScenarioPlan, years: number): ExactResult {
  const law = exactAnnualLoss([plan])
  return {
    engine: 'exact',
    ...statisticsOf(law),
    events: momentsOf(plan).events,
    lec: curveOf(law),
    histogram: histogramOf(law),
    ...(years > 1
      ? { horizon: { years, ...statisticsOf(exactAnnualLoss(Array.from({ length: years }, () => plan))) } }
      : {}),
  }
}

function statisticsOf(law: AnnualLossLaw) {
  const sd = Math.sqrt(law.variance)
  return {
    mean: law.mean,
    sd: Number.isFinite(sd) ? sd : null,
    no_loss: law.noLoss,
    quantiles: quantileLevels.map((p) => ({ p, value: law.quantile(p) })),
    tails: tailLevels.map((level) => ({ level, var: law.quantile(level), tvar: law.tailMean(level) })),
  }
}

/** Exceedance at 0 and at points on a logarithmic scale up to the loss of one year in 10,000. */
function curveOf(law: AnnualLossLaw): ExactResult['lec'] {
  const top = law.quantile(0.9999)
  const first = { loss: 0, probability: 1 - law.noLoss }
  if (!(top > 0)) return [first]
  const bottom = Math.max(law.step / 2, top / 100_000)
  const points = Array.from({ length: curvePoints - 1 }, (_, i) => {
    const loss = bottom * exp((log(top / bottom) * i) / (curvePoints - 2))
    return { loss, probability: law.exceedance(loss) }
  })
  return [first, ...points]
}

/** Shares of years by loss, up to the loss of one year in 1,000; years without loss stand in `no_loss` only. */
function histogramOf(law: AnnualLossLaw): ExactResult['histogram'] {
  const top = law.quantile(0.999)
  if (!(top > 0)) return []
  return Array.from({ length: bins }, (_, i) => {
    const [from, to] = [(top * i) / bins, (top * (i + 1)) / bins]
    const below = i === 0 ? law.noLoss : law.cdf(from)
    return { from, to, share: Math.max(0, law.cdf(to) - below) }
  })
}
