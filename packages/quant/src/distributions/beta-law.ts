import { betaRegularized, logBeta } from '../numeric/beta.ts'
import { exp, log, log1p } from '../numeric/exp-log.ts'
import { solveIncreasing } from '../numeric/root.ts'
import type { Distribution, Law } from './specification.ts'

/** Beta law with parameters a, b on [low, high]. */
export function betaLaw(a: number, b: number, low: number, high: number): Law {
  const width = high - low
  const lower = unitQuantile(a, b)
  const upper = unitQuantile(b, a)
  const logB = logBeta(a, b)
  return {
    low,
    high,
    mean: low + (width * a) / (a + b),
    variance: (width * width * a * b) / ((a + b) ** 2 * (a + b + 1)),
    cdf: (x) => betaRegularized(a, b, (x - low) / width, logB),
    quantile: (p) => (p > 0.5 ? high - width * upper(1 - p) : low + width * lower(p)),
    upperQuantile: (q) => (q > 0.5 ? low + width * lower(1 - q) : high - width * upper(q)),
    beta: { alpha: a, beta: b },
  }
}

/** alpha = 1 + g (mode - low) / (high - low), beta = 1 + g (high - mode) / (high - low). */
export function pertLaw(pert: Extract<Distribution, { readonly type: 'pert' }>): Law {
  const { low, mode, high, shape = 4, variant = 'standard' } = pert
  const width = high - low
  if (variant === 'standard')
    return betaLaw(1 + (shape * (mode - low)) / width, 1 + (shape * (high - mode)) / width, low, high)
  const mean = (low + shape * mode + high) / (shape + 2)
  const share = (mean - low) / width
  // Method of moments with the standard deviation at a sixth of the range.
  const total = (share * (1 - share)) / (1 / 36) - 1
  return betaLaw(share * total, (1 - share) * total, low, high)
}

/** Quantile function of the unit beta law, for p from the end near 0; keeps the last root as a guess for the next. */
function unitQuantile(a: number, b: number): (p: number) => number {
  const logB = logBeta(a, b)
  let last = { p: 0, x: 0 }
  const density = (x: number): number => exp((a - 1) * log(x) + (b - 1) * log1p(-x) - logB)
  const bend = (x: number): number => (a - 1) / x - (b - 1) / (1 - x)
  return (p) => {
    if (p <= 0) return 0
    if (p >= 1) return 1
    const guess = guessFrom(last.p, last.x)
    const x = solveIncreasing((t) => betaRegularized(a, b, t, logB) - p, density, bend, {
      low: 0,
      high: 1,
      guess,
      steps: 60,
    })
    last = { p, x }
    return x

    function guessFrom(nearP: number, nearX: number): number {
      const ratio = p / nearP
      if (!(ratio > 0.97 && ratio < 1.03)) return powerGuess(p)
      const step = (p - nearP) / density(nearX)
      return nearX + step * (1 - 0.5 * step * bend(nearX) * (1 - (step * bend(nearX)) / 1.5))
    }
  }

  function powerGuess(p: number): number {
    // Near 0 the distribution function is x^a / (a B).
    const x = exp((log(p * a) + logB) / a)
    return x < 0.3 ? x : a / (a + b)
  }
}
