import { exp, log, log1p } from './exp-log.ts'

const halfLogTwoPi = 0.9189385332046727

/** Logarithm of the gamma function for x > 0: Stirling's series after a shift to x >= 10. Absolute error about 1e-14. */
export function logGamma(x: number): number {
  let shift = 1
  let y = x
  while (y < 10) {
    shift *= y
    y += 1
  }
  const r = 1 / (y * y)
  const series =
    (1 / 12 -
      r *
        (1 / 360 -
          r *
            (1 / 1260 - r * (1 / 1680 - r * (1 / 1188 - r * (691 / 360360 - r * (1 / 156 - (r * 3617) / 122400))))))) /
    y
  return (y - 0.5) * log(y) - y + halfLogTwoPi + series - log(shift)
}

/** log of x^a e^-x / Γ(a), for large a by Stirling's form, without the cancellation of its parts. */
function logPrefix(a: number, x: number, logGammaOfA: number): number {
  if (a < 20) return a * log(x) - x - logGammaOfA
  const delta = (x - a) / a
  const r = 1 / (a * a)
  const series = (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r / 1680))) / a
  return a * (log1p(delta) - delta) + 0.5 * log(a) - halfLogTwoPi - series
}

function lowerSeries(a: number, x: number, prefix: number): number {
  let term = 1 / a
  let sum = term
  for (let n = 1; n < 100_000; n += 1) {
    term *= x / (a + n)
    sum += term
    if (term < sum * 1e-17) break
  }
  return prefix * sum
}

/** Continued fraction by Lentz's method (DLMF 8.9.2). */
function upperFraction(a: number, x: number, prefix: number): number {
  let b = x + 1 - a
  let c = 1e300
  let d = 1 / b
  let h = d
  for (let i = 1; i < 100_000; i += 1) {
    const an = -i * (i - a)
    b += 2
    d = an * d + b
    if (Math.abs(d) < 1e-300) d = 1e-300
    c = b + an / c
    if (Math.abs(c) < 1e-300) c = 1e-300
    d = 1 / d
    const change = d * c
    h *= change
    if (Math.abs(change - 1) < 1e-16) break
  }
  return prefix * h
}

/** Regularized lower incomplete gamma function P(a, x), a > 0. Relative error about 1e-14. */
export function gammaP(a: number, x: number, logGammaOfA: number = logGamma(a)): number {
  if (!(x > 0)) return x <= 0 ? 0 : Number.NaN
  if (x === Number.POSITIVE_INFINITY) return 1
  const prefix = exp(logPrefix(a, x, logGammaOfA))
  return x < a + 1 ? lowerSeries(a, x, prefix) : 1 - upperFraction(a, x, prefix)
}

/** Regularized upper incomplete gamma function Q(a, x) = 1 - P(a, x), accurate where it is small. */
export function gammaQ(a: number, x: number, logGammaOfA: number = logGamma(a)): number {
  if (!(x > 0)) return x <= 0 ? 1 : Number.NaN
  if (x === Number.POSITIVE_INFINITY) return 0
  const prefix = exp(logPrefix(a, x, logGammaOfA))
  return x < a + 1 ? 1 - lowerSeries(a, x, prefix) : upperFraction(a, x, prefix)
}
