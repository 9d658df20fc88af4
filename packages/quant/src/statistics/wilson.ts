import { normalQuantile } from '../numeric/normal.ts'
import type { Interval } from '../summary/summary.ts'

/**
 * Wilson score interval of a proportion (Wilson 1927): keeps its coverage for few trials and for proportions near 0 or 1.
 *
 * @param confidence two-sided, 0.95 by default
 */
export function wilsonInterval(successes: number, trials: number, confidence = 0.95): Interval {
  if (!(trials > 0 && successes >= 0 && successes <= trials)) {
    throw new RangeError(`Needs 0 ≤ successes ≤ trials and a trial, got ${successes} of ${trials}`)
  }
  if (!(confidence > 0 && confidence < 1)) throw new RangeError(`Confidence must be inside 0..1, got ${confidence}`)
  const z = normalQuantile((1 + confidence) / 2)
  const share = successes / trials
  const spread = (z * z) / trials
  const center = (share + spread / 2) / (1 + spread)
  const half = (z * Math.sqrt((share * (1 - share)) / trials + spread / (4 * trials))) / (1 + spread)
  return {
    low: successes === 0 ? 0 : Math.max(0, center - half),
    high: successes === trials ? 1 : Math.min(1, center + half),
  }
}
