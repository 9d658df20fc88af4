import { gammaP, logGamma } from '../numeric/gamma.ts'
import { normalQuantile } from '../numeric/normal.ts'

/**
 * Quantile of the gamma distribution with rate 1: Wilson–Hilferty's approximation as the start, then bisection on the
 * regularized incomplete gamma function until the interval is at machine precision.
 */
export function gammaQuantile(probability: number, shape: number): number {
  if (!(probability >= 0 && probability < 1))
    throw new RangeError(`Probability must be 0 to below 1, got ${probability}`)
  if (!(shape > 0)) throw new RangeError(`Shape must be above 0, got ${shape}`)
  if (probability === 0) return 0
  const logGammaOfShape = logGamma(shape)
  const isBelow = (x: number) => gammaP(shape, x, logGammaOfShape) < probability
  const cube = 1 - 1 / (9 * shape) + normalQuantile(probability) / (3 * Math.sqrt(shape))
  let upper = Math.max(shape * cube * cube * cube, Number.MIN_VALUE)
  while (isBelow(upper)) upper *= 2
  let lower = upper
  while (lower > 0 && !isBelow(lower)) lower /= 2
  for (;;) {
    const middle = lower + (upper - lower) / 2
    if (!(middle > lower && middle < upper)) return middle
    if (isBelow(middle)) lower = middle
    else upper = middle
  }
}

/** Quantile of the chi-square distribution. */
export function chiSquareQuantile(probability: number, degrees: number): number {
  return 2 * gammaQuantile(probability, degrees / 2)
}
