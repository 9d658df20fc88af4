import type { DataCopies } from './service-model.ts'

/** Data lost by a restore: the time between the last good copy and the failure, and the copy's lag. */
export interface DataLossLaw {
  readonly mean: number
  /** P(loss ≤ x). */
  cdf(x: number): number
  quantile(p: number): number
}

/**
 * The loss of a failure at a uniform time: (U + failed restores) · interval + lag, where each restore fails with 1 − p, so
 * the number of failed ones is geometric. P(loss ≤ (k + f) · interval + lag) = 1 − q^k + p · q^k · f for 0 ≤ f < 1.
 */
export function dataLossLaw({ interval, lag, restoreSuccess: p }: DataCopies): DataLossLaw {
  const q = 1 - p
  return {
    mean: (0.5 + q / p) * interval + lag,
    cdf: (x) => {
      const copies = (x - lag) / interval
      if (copies < 0) return 0
      const whole = Math.floor(copies)
      const missing = q ** whole
      return 1 - missing + p * missing * (copies - whole)
    },
    quantile: (level) => {
      if (!(level > 0 && level < 1)) throw new RangeError(`Level must be inside 0..1, got ${level}`)
      const whole = q === 0 ? 0 : Math.max(0, Math.floor(Math.log1p(-level) / Math.log(q)))
      const missing = q ** whole
      return (whole + (level - 1 + missing) / (p * missing)) * interval + lag
    },
  }
}
