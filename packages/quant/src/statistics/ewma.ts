/** Exponentially weighted moving average control chart (NIST/SEMATECH e-Handbook 6.3.2.4). */
export interface EwmaChart {
  readonly target: number
  readonly lower: number
  readonly upper: number
  /** Weight of the newest value, 0 < λ ≤ 1. */
  readonly lambda: number
}

export interface EwmaOptions {
  readonly target: number
  /** Standard deviation of a single value. */
  readonly deviation: number
  readonly lambda?: number
  /** Half width of the limits in standard deviations of the average. */
  readonly width?: number
}

/** Chart with the limits `target ± width·σ·√(λ/(2−λ))`; λ = 0.2 and width 3 by default. */
export function ewmaChart({ target, deviation, lambda = 0.2, width = 3 }: EwmaOptions): EwmaChart {
  if (!(lambda > 0 && lambda <= 1)) throw new RangeError(`Weight λ must be above 0 and at most 1, got ${lambda}`)
  if (!(deviation >= 0 && width >= 0)) throw new RangeError('Standard deviation and width must be 0 or more')
  const half = width * deviation * Math.sqrt(lambda / (2 - lambda))
  return { target, lower: target - half, upper: target + half, lambda }
}

/** Average after one more value; the first average is the target. */
export function ewmaNext(chart: EwmaChart, average: number, value: number): number {
  return chart.lambda * value + (1 - chart.lambda) * average
}

/** Whether an average lies outside the limits. */
export function isOutOfControl(chart: EwmaChart, average: number): boolean {
  return average < chart.lower || average > chart.upper
}
