import { exp, log, log1p } from './exp-log.ts'
import { logGamma } from './gamma.ts'

/** Logarithm of the beta function. */
export function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b)
}

/** Continued fraction of the incomplete beta function by Lentz's method (DLMF 8.17.22). */
function fraction(a: number, b: number, x: number): number {
  let c = 1
  let d = 1 / (1 - ((a + b) * x) / (a + 1))
  let h = d
  for (let m = 1; m < 10_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / (1 + even * d)
    c = 1 + even / c
    h *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / (1 + odd * d)
    c = 1 + odd / c
    const change = d * c
    h *= change
    if (Math.abs(change - 1) < 2e-16) break
  }
  return h
}

/**
 * Regularized incomplete beta function I_x(a, b), 0 <= x <= 1, a, b > 0. Relative error about 1e-14.
 * @param logB log of the beta function, where the caller has it already.
 */
export function betaRegularized(a: number, b: number, x: number, logB: number = logBeta(a, b)): number {
  if (!(x > 0)) return x <= 0 ? 0 : Number.NaN
  if (x >= 1) return 1
  const prefix = exp(a * log(x) + b * log1p(-x) - logB)
  return x < (a + 1) / (a + b + 2) ? (prefix * fraction(a, b, x)) / a : 1 - (prefix * fraction(b, a, 1 - x)) / b
}
