import type { Interval } from '../summary/summary.ts'
import { wilsonInterval } from './wilson.ts'

/** An estimator's interval for a quantity whose true value is known by now. */
export interface IntervalEstimate {
  readonly low: number
  readonly high: number
  readonly actual: number
}

/** An estimator's probability for an event whose outcome is known by now. */
export interface ProbabilityEstimate {
  /** 0..1 */
  readonly probability: number
  readonly occurred: boolean
}

export interface IntervalCalibration {
  readonly answers: number
  readonly hits: number
  /** Share of intervals that contain the true value. */
  readonly hitRate: number
  /** 95 % Wilson interval of the hit rate. */
  readonly interval: Interval
  /** Hit rate below 70 %: estimates of this person need a second look. */
  readonly overconfident: boolean
}

/** Hit rate of 90 % intervals below which an estimator counts as overconfident (Hubbard). */
const acceptableHitRate = 0.7

/** Hit rate of an estimator's 90 % intervals. */
export function calibrateIntervals(estimates: readonly IntervalEstimate[]): IntervalCalibration {
  if (estimates.length === 0) throw new RangeError('Calibration needs an answer')
  for (const { low, high } of estimates) {
    if (!(low <= high)) throw new RangeError(`Interval must have low ≤ high, got ${low}..${high}`)
  }
  const hits = estimates.filter(({ low, high, actual }) => low <= actual && actual <= high).length
  const hitRate = hits / estimates.length
  return {
    answers: estimates.length,
    hits,
    hitRate,
    interval: wilsonInterval(hits, estimates.length),
    overconfident: hitRate < acceptableHitRate,
  }
}

/** Mean squared error of probabilities (Brier 1950): 0 is perfect, 0.25 is always saying ½. */
export function brierScore(estimates: readonly ProbabilityEstimate[]): number {
  return meanOf(estimates, ({ probability, occurred }) => (probability - (occurred ? 1 : 0)) ** 2)
}

/** Mean surprise of the outcomes in bits, −log₂ of their probability: infinite once an "impossible" event occurred. */
export function logScore(estimates: readonly ProbabilityEstimate[]): number {
  return meanOf(estimates, ({ probability, occurred }) => -Math.log2(occurred ? probability : 1 - probability))
}

function meanOf(estimates: readonly ProbabilityEstimate[], loss: (estimate: ProbabilityEstimate) => number): number {
  if (estimates.length === 0) throw new RangeError('Calibration needs an answer')
  let sum = 0
  for (const estimate of estimates) {
    if (!(estimate.probability >= 0 && estimate.probability <= 1)) {
      throw new RangeError(`Probability must be 0..1, got ${estimate.probability}`)
    }
    sum += loss(estimate)
  }
  return sum / estimates.length
}
