import { exp, expm1, log, log1p, power } from '../numeric/exp-log.ts'
import { gammaP, gammaQ, logGamma } from '../numeric/gamma.ts'
import { normalCdf, normalDensity, normalQuantile } from '../numeric/normal.ts'
import { solveIncreasing } from '../numeric/root.ts'
import type { Distribution, Law } from './specification.ts'

function lognormal(mu: number, sigma: number): Law {
  const mean = exp(mu + 0.5 * sigma * sigma)
  return {
    low: 0,
    high: Number.POSITIVE_INFINITY,
    mean,
    variance: mean * mean * expm1(sigma * sigma),
    cdf: (x) => (x <= 0 ? 0 : normalCdf((log(x) - mu) / sigma)),
    quantile: (p) => exp(mu + sigma * normalQuantile(p)),
    upperQuantile: (q) => exp(mu - sigma * normalQuantile(q)),
  }
}

/** Lognormal law from its mean and standard deviation, or from its 5 % and 95 % quantiles. */
export const lognormalLaw = {
  fromMoments(mean: number, sd: number): Law {
    const variance = log1p((sd / mean) ** 2)
    return lognormal(log(mean) - 0.5 * variance, Math.sqrt(variance))
  },
  fromInterval(p05: number, p95: number): Law {
    const [low, high] = [log(p05), log(p95)]
    return lognormal(0.5 * (low + high), (high - low) / (2 * 1.6448536269514722))
  },
}

/** Exponential law. */
export function exponentialLaw(mean: number): Law {
  return weibullLaw(1, mean)
}

/** Weibull law: P(X > x) = exp(-(x / scale)^shape). */
export function weibullLaw(shape: number, scale: number): Law {
  const mean = scale * exp(logGamma(1 + 1 / shape))
  return {
    low: 0,
    high: Number.POSITIVE_INFINITY,
    mean,
    variance: scale * scale * exp(logGamma(1 + 2 / shape)) - mean * mean,
    cdf: (x) => (x <= 0 ? 0 : -expm1(-power(x / scale, shape))),
    quantile: (p) => scale * power(-log1p(-p), 1 / shape),
    upperQuantile: (q) => scale * power(-log(q), 1 / shape),
  }
}

/** Generalized Pareto law: P(X > x) = (1 + shape (x - location) / scale)^(-1/shape), shape below 1. */
export function generalizedParetoLaw(location: number, scale: number, shape: number): Law {
  const survivalQuantile = (logQ: number): number =>
    location + (shape === 0 ? -scale * logQ : (scale * expm1(-shape * logQ)) / shape)
  return {
    low: location,
    high: shape < 0 ? location - scale / shape : Number.POSITIVE_INFINITY,
    mean: location + scale / (1 - shape),
    variance: shape < 0.5 ? scale ** 2 / ((1 - shape) ** 2 * (1 - 2 * shape)) : Number.POSITIVE_INFINITY,
    cdf: (x) => {
      const z = (x - location) / scale
      if (z <= 0) return 0
      if (shape === 0) return -expm1(-z)
      return 1 + shape * z <= 0 ? 1 : -expm1(-log1p(shape * z) / shape)
    },
    quantile: (p) => survivalQuantile(log1p(-p)),
    upperQuantile: (q) => survivalQuantile(log(q)),
  }
}

/** Gamma law with shape k and scale θ, mean kθ. */
export function gammaLaw(shape: number, scale: number): Law {
  const logG = logGamma(shape)
  const density = (x: number): number => exp((shape - 1) * log(x) - x - logG)
  const bend = (x: number): number => (shape - 1) / x - 1
  const solve = (f: (x: number) => number, p: number): number => {
    // Wilson–Hilferty, or the power law near 0.
    const cube = 1 - 1 / (9 * shape) + normalQuantile(p) / (3 * Math.sqrt(shape))
    const small = exp((log(p) + log(shape) + logG) / shape)
    const guess = small < 0.1 * shape || cube <= 0 ? small : shape * cube ** 3
    return solveIncreasing(f, density, bend, { low: 0, high: shape + 60 + 60 * Math.sqrt(shape), guess })
  }
  return {
    low: 0,
    high: Number.POSITIVE_INFINITY,
    mean: shape * scale,
    variance: shape * scale * scale,
    cdf: (x) => gammaP(shape, x / scale, logG),
    quantile: (p) =>
      p <= 0 ? 0 : p >= 1 ? Number.POSITIVE_INFINITY : scale * solve((x) => gammaP(shape, x, logG) - p, p),
    upperQuantile: (q) =>
      q <= 0 ? Number.POSITIVE_INFINITY : scale * solve((x) => q - gammaQ(shape, x, logG), Math.max(1e-17, 1 - q)),
  }
}

/** Normal law cut to [low, high]. */
export function truncatedNormalLaw(spec: Extract<Distribution, { readonly type: 'truncated_normal' }>): Law {
  const { mean: mu, sd, low, high } = spec
  const [a, b] = [(low - mu) / sd, (high - mu) / sd]
  // Right of the mean the law is mirrored, so that its mass is a difference of small tails.
  if (a > 0) return mirrored(truncatedNormalLaw({ ...spec, mean: -mu, low: -high, high: -low }))
  const atLow = normalCdf(a)
  const mass = normalCdf(b) - atLow
  const [da, db] = [normalDensity(a), normalDensity(b)]
  const shift = (da - db) / mass
  const clamp = (x: number): number => Math.min(high, Math.max(low, x))
  const aboveHigh = normalCdf(-b)
  return {
    low,
    high,
    mean: mu + sd * shift,
    variance: sd * sd * (1 + (a * da - b * db) / mass - shift * shift),
    cdf: (x) => (x <= low ? 0 : x >= high ? 1 : Math.min(1, (normalCdf((x - mu) / sd) - atLow) / mass)),
    quantile: (p) => clamp(mu + sd * normalQuantile(atLow + p * mass)),
    upperQuantile: (q) => clamp(mu - sd * normalQuantile(aboveHigh + q * mass)),
  }
}

function mirrored(law: Law): Law {
  return {
    low: -law.high,
    high: -law.low,
    mean: -law.mean,
    variance: law.variance,
    cdf: (x) => 1 - law.cdf(-x),
    quantile: (p) => -law.upperQuantile(p),
    upperQuantile: (q) => -law.quantile(q),
  }
}
