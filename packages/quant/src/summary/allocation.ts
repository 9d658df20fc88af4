import { orderSample } from './order-statistics.ts'

export interface Allocation {
  readonly level: number
  readonly var: number
  readonly tvar: number
  /** Euler parts of the TVaR, one for each scenario; they add up to it. */
  readonly contributions: readonly number[]
  /** Value at risk of each scenario alone. */
  readonly standalone: readonly number[]
  /** Sum of the scenarios' own values at risk, less that of the portfolio. */
  readonly diversificationBenefit: number
}

/**
 * Euler allocation of the TVaR of a portfolio: the mean of each scenario's loss over the worst 1 - level of years.
 * Years at the quantile itself count with the share that makes the tail exactly 1 - level (Tasche 2000).
 * @param parts losses of each scenario by year; @param total their sum by year.
 */
export function allocateTail(parts: readonly Float64Array[], total: Float64Array, level: number): Allocation {
  const n = total.length
  const varOf = (losses: Float64Array): number =>
    orderSample(losses).valuesAt([Math.min(n - 1, Math.max(0, Math.ceil(n * level) - 1))])[0] ?? 0
  const at = varOf(total)
  let above = 0
  let ties = 0
  for (let i = 0; i < n; i += 1) {
    const loss = total[i] ?? 0
    if (loss > at) above += 1
    else if (loss === at) ties += 1
  }
  const tailYears = n * (1 - level)
  const tieShare = (tailYears - above) / ties
  const contributions = parts.map((part) => tailSum(part, total, at, tieShare) / tailYears)
  const standalone = parts.map(varOf)
  return {
    level,
    var: at,
    tvar: contributions.reduce((sum, part) => sum + part, 0),
    contributions,
    standalone,
    diversificationBenefit: standalone.reduce((sum, own) => sum + own, 0) - at,
  }
}

function tailSum(part: Float64Array, total: Float64Array, at: number, tieShare: number): number {
  let sum = 0
  for (let i = 0; i < total.length; i += 1) {
    const loss = total[i] ?? 0
    if (loss > at) sum += part[i] ?? 0
    else if (loss === at) sum += tieShare * (part[i] ?? 0)
  }
  return sum
}
