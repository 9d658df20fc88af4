import { divideHalfUp, FULL_SCORE, type Hundredths, type Millionths, ONE_MILLION } from './fixed-point.ts'

/** Weight of the prior, in observations: kappa of Beta(kappa * m, kappa * (1 - m)) = Beta(5, 5). */
export const PRIOR_OBSERVATIONS = 10

/** Mean of that prior, m. */
export const PRIOR_MEAN = 0.5

/**
 * A proportion of `good` in `n` as hundredths: the posterior mean `(good + kappa m) / (n + kappa)` under Beta(5, 5).
 * One good case of one is 54.55, not 100, because one case proves little.
 */
export function smallSampleScore(good: number, n: number): Hundredths {
  return divideHalfUp(FULL_SCORE * (good + PRIOR_OBSERVATIONS * PRIOR_MEAN), n + PRIOR_OBSERVATIONS)
}

/** How far `n` observations can be relied on, `n / (n + kappa)` in millionths; whole where n does not apply. */
export function sampleReliance(n: number | null): Millionths {
  return n === null ? ONE_MILLION : divideHalfUp(ONE_MILLION * n, n + PRIOR_OBSERVATIONS)
}
