import { exp, log } from '../numeric/exp-log.ts'
import { normalQuantile } from '../numeric/normal.ts'
import { type OrderedSample, orderSample } from './order-statistics.ts'

export interface Interval {
  readonly low: number
  readonly high: number
}

export interface TailStatistics {
  readonly level: number
  /** Value at risk: the quantile at the level. */
  readonly var: number
  /** 95 % interval from order statistics; holds for every distribution. */
  readonly interval: Interval
  /** Expected shortfall: mean of the worst 1 - level of years. */
  readonly tvar: number
  /** Standard error of the expected shortfall. */
  readonly tvarStandardError: number
}

export interface LossSummary {
  readonly years: number
  readonly mean: number
  readonly standardError: number
  readonly sd: number
  readonly noLoss: number
  readonly largest: number
  readonly quantiles: readonly { readonly p: number; readonly value: number; readonly interval: Interval }[]
  readonly tails: readonly TailStatistics[]
  /** P(loss > x) with the Dvoretzky–Kiefer–Wolfowitz band of 95 %, which holds for all x together. */
  readonly curve: readonly { readonly loss: number; readonly probability: number; readonly band: Interval }[]
  /** Equal bins from 0 to the largest loss; years without loss are in `noLoss` only. */
  readonly histogram: readonly { readonly from: number; readonly to: number; readonly years: number }[]
  /** Running mean with its standard error. */
  readonly trace: readonly { readonly years: number; readonly mean: number; readonly standardError: number }[]
}

const quantileLevels = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999]
const tailLevels = [0.9, 0.95, 0.99, 0.995]
const curvePoints = 200
const bins = 50

/** Rank of a quantile and of its distribution-free 95 % interval (normal approximation of the binomial law). */
function ranksOf(p: number, n: number): readonly [number, number, number] {
  const clamp = (rank: number): number => Math.min(n - 1, Math.max(0, rank))
  const reach = 1.959963984540054 * Math.sqrt(n * p * (1 - p))
  return [clamp(Math.ceil(n * p) - 1), clamp(Math.floor(n * p - reach)), clamp(Math.ceil(n * p + reach))]
}

/**
 * Statistics of simulated annual losses.
 * @param losses one non-negative number a year, at least one.
 * @param blockYears for stratified samples: years of a block; the standard error of the mean then comes from the means
 * of blocks, which are independent while the years within one are not.
 */
export function summarize(losses: Float64Array, blockYears?: number): LossSummary {
  const n = losses.length
  if (n === 0) throw new RangeError('There are no losses to summarize.')
  const moments = running(losses)
  const ordered = orderSample(losses)
  const levels = [...new Set([...quantileLevels, ...tailLevels])]
  const ranks = levels.flatMap((p) => ranksOf(p, n))
  // Each look at ranks goes over all years, so the lowest loss is asked for with the quantiles.
  const values = ordered.valuesAt([...ranks, Math.min(n - 1, ordered.zeros)])
  const at = (p: number): { readonly value: number; readonly interval: Interval } => {
    const i = 3 * levels.indexOf(p)
    return { value: values[i] ?? 0, interval: { low: values[i + 1] ?? 0, high: values[i + 2] ?? 0 } }
  }
  return {
    years: n,
    mean: moments.mean,
    standardError: blockYears === undefined ? moments.standardError : blockError(losses, blockYears, moments),
    sd: moments.sd,
    noLoss: ordered.zeros / n,
    largest: ordered.largest,
    quantiles: quantileLevels.map((p) => ({ p, ...at(p) })),
    tails: tailsOf(losses, at),
    curve: curveOf(ordered, values.at(-1) ?? 0),
    histogram: histogramOf(losses, ordered.largest),
    trace: moments.trace,
  }
}

interface Moments {
  readonly mean: number
  readonly sd: number
  readonly standardError: number
  readonly trace: LossSummary['trace']
}

/** Moments about the mean of the first thousand years, against cancellation; trace at rising numbers of years. */
function running(losses: Float64Array): Moments {
  const n = losses.length
  const head = Math.min(n, 1_000)
  let origin = 0
  for (let i = 0; i < head; i += 1) origin += (losses[i] ?? 0) / head
  const trace: { years: number; mean: number; standardError: number }[] = []
  let sum = 0
  let square = 0
  let done = 0
  let sd = 0
  for (const end of checkpoints(n)) {
    for (; done < end; done += 1) {
      const x = (losses[done] ?? 0) - origin
      sum += x
      square += x * x
    }
    const variance = end > 1 ? Math.max(0, (square - (sum * sum) / end) / (end - 1)) : 0
    sd = Math.sqrt(variance)
    trace.push({ years: end, mean: origin + sum / end, standardError: sd / Math.sqrt(end) })
  }
  return { mean: origin + sum / n, sd, standardError: sd / Math.sqrt(n), trace }
}

/** Up to 64 numbers of years on a logarithmic scale, the last one n. */
function checkpoints(n: number): readonly number[] {
  const first = Math.min(n, 100)
  const points = Array.from({ length: 64 }, (_, i) => Math.round(first * exp((log(n / first) * i) / 63)))
  return [...new Set(points.map((point, i) => (i === 63 ? n : Math.min(n, point))))]
}

function blockError(losses: Float64Array, blockYears: number, { mean, standardError }: Moments): number {
  const blocks = Math.floor(losses.length / blockYears)
  if (blocks < 8) return standardError
  let square = 0
  for (let block = 0; block < blocks; block += 1) {
    let sum = 0
    for (let i = block * blockYears; i < (block + 1) * blockYears; i += 1) sum += losses[i] ?? 0
    square += (sum / blockYears - mean) ** 2
  }
  return Math.sqrt(square / (blocks - 1) / blocks)
}

/**
 * VaR + E[(L - VaR)+] / (1 - level) (Acerbi and Tasche 2002), which is right with ties at the quantile too. All levels in
 * one pass, which stops at most years at the lowest of them.
 */
function tailsOf(
  losses: Float64Array,
  at: (level: number) => { readonly value: number; readonly interval: Interval },
): LossSummary['tails'] {
  const n = losses.length
  const quantiles = tailLevels.map(at)
  const from = Float64Array.from(quantiles, ({ value }) => value)
  const lowest = from[0] ?? 0
  const sums = new Float64Array(from.length)
  const squares = new Float64Array(from.length)
  for (let i = 0; i < n; i += 1) {
    const loss = losses[i] ?? 0
    if (!(loss > lowest)) continue
    for (let level = 0; level < from.length; level += 1) {
      const excess = loss - (from[level] ?? 0)
      if (!(excess > 0)) break
      sums[level] = (sums[level] ?? 0) + excess
      squares[level] = (squares[level] ?? 0) + excess * excess
    }
  }
  return tailLevels.map((level, i) => {
    const { value, interval } = quantiles[i] ?? at(level)
    const mean = (sums[i] ?? 0) / n
    const variance = Math.max(0, (squares[i] ?? 0) / n - mean * mean)
    const tvarStandardError = Math.sqrt(variance / n) / (1 - level)
    return { level, var: value, interval, tvar: value + mean / (1 - level), tvarStandardError }
  })
}

/** @param lowest the lowest loss above 0, where there is any */
function curveOf(ordered: OrderedSample, lowest: number): LossSummary['curve'] {
  const n = ordered.size
  const half = Math.sqrt(log(2 / 0.05) / (2 * n))
  const thresholds = [0]
  if (lowest > 0) {
    const reach = log(ordered.largest / lowest)
    for (let i = 1; i < curvePoints; i += 1) thresholds.push(lowest * exp((reach * (i - 1)) / (curvePoints - 2)))
  }
  const counts = ordered.countsAbove(thresholds)
  return thresholds.map((loss, i) => {
    const probability = (counts[i] ?? 0) / n
    return {
      loss,
      probability,
      band: { low: Math.max(0, probability - half), high: Math.min(1, probability + half) },
    }
  })
}

function histogramOf(losses: Float64Array, largest: number): LossSummary['histogram'] {
  if (!(largest > 0)) return []
  const counts = new Uint32Array(bins + 1)
  const perUnit = bins / largest
  for (let i = 0; i < losses.length; i += 1) {
    const loss = losses[i] ?? 0
    const bin = Math.floor(loss * perUnit)
    if (loss > 0) counts[bin] = (counts[bin] ?? 0) + 1
  }
  return Array.from({ length: bins }, (_, i) => ({
    from: i / perUnit,
    to: (i + 1) / perUnit,
    // The largest loss itself falls on the upper edge.
    years: (counts[i] ?? 0) + (i === bins - 1 ? (counts[bins] ?? 0) : 0),
  }))
}

/** Statistics that a stop rule may aim at. */
export type StopStatistic = 'mean' | 'var90' | 'var95' | 'var99' | 'tvar95'

/** Half width of the 95 % interval of a statistic over its value: stop where it is at most the target. */
export function relativeError(summary: LossSummary, statistic: StopStatistic): number {
  if (statistic === 'mean') return ratio(1.959963984540054 * summary.standardError, summary.mean)
  const level = { var90: 0.9, var95: 0.95, var99: 0.99, tvar95: 0.95 }[statistic]
  const tail = summary.tails.find((each) => each.level === level)
  if (tail === undefined) return Number.POSITIVE_INFINITY
  if (statistic === 'tvar95') return ratio(normalQuantile(0.975) * tail.tvarStandardError, tail.tvar)
  return ratio(0.5 * (tail.interval.high - tail.interval.low), tail.var)
}

function ratio(error: number, value: number): number {
  return value > 0 ? error / value : Number.POSITIVE_INFINITY
}

/** Years after which a stop rule is asked: doubling from 16 blocks, so that it stops alike for any number of workers. */
export function stopCheckpoints(blockYears: number, maximum: number): readonly number[] {
  const points: number[] = []
  for (let years = 16 * blockYears; years < maximum; years *= 2) points.push(years)
  return [...points, maximum]
}
