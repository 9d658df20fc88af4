import { betaLaw, pertLaw } from './beta-law.ts'
import { constantLaw, discreteLaw, triangularLaw, uniformLaw } from './simple-laws.ts'
import type { Distribution, Law } from './specification.ts'
import {
  exponentialLaw,
  gammaLaw,
  generalizedParetoLaw,
  lognormalLaw,
  truncatedNormalLaw,
  weibullLaw,
} from './tail-laws.ts'
import { validateDistribution } from './validation.ts'

/** @param pointer JSON pointer of the distribution in its model. @throws ModelError for invalid parameters. */
export function lawOf(distribution: Distribution, pointer = ''): Law {
  validateDistribution(distribution, pointer)
  const d = distribution
  switch (d.type) {
    case 'constant':
      return constantLaw(d.value)
    case 'uniform':
      return uniformLaw(d.low, d.high)
    case 'triangular':
      return triangularLaw(d.low, d.mode, d.high)
    case 'pert':
      return pertLaw(d)
    case 'beta':
      return betaLaw(d.alpha, d.beta, d.low ?? 0, d.high ?? 1)
    case 'truncated_normal':
      return truncatedNormalLaw(d)
    case 'lognormal':
      return lognormalLaw.fromMoments(d.mean, d.sd)
    case 'lognormal_interval':
      return lognormalLaw.fromInterval(d.p05, d.p95)
    case 'gamma':
      return gammaLaw(d.shape, d.scale)
    case 'exponential':
      return exponentialLaw(d.mean)
    case 'weibull':
      return weibullLaw(d.shape, d.scale)
    case 'pareto':
      return generalizedParetoLaw(d.minimum, d.minimum / d.shape, 1 / d.shape)
    case 'generalized_pareto':
      return generalizedParetoLaw(d.location, d.scale, d.shape)
    case 'empirical':
      return discreteLaw(
        d.sample,
        d.sample.map(() => 1 / d.sample.length),
      )
    case 'discrete':
      return discreteLaw(d.values, d.probabilities)
  }
}
