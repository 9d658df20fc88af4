import { gammaLaw } from '../distributions/tail-laws.ts'
import { exp, log1p } from '../numeric/exp-log.ts'
import type { Interval } from '../summary/summary.ts'

/** Belief about an annual rate: gamma distribution with shape and rate (in years). */
export interface GammaBelief {
  readonly shape: number
  /** Years of evidence that the belief is worth. */
  readonly rate: number
}

/** Observed events over a time. */
export interface Observation {
  readonly events: number
  readonly years: number
}

/** Posterior of a Poisson rate under a gamma prior: shape `a + events`, rate `b + years` (conjugate update). */
export function updateRate(prior: GammaBelief, { events, years }: Observation): GammaBelief {
  requireBelief(prior)
  if (!(events >= 0 && years >= 0 && Number.isFinite(events) && Number.isFinite(years))) {
    throw new RangeError(`Events and years must be finite and 0 or more, got ${events} and ${years}`)
  }
  return { shape: prior.shape + events, rate: prior.rate + years }
}

export interface RateSummary {
  /** Events a year. */
  readonly mean: number
  readonly deviation: number
  /** 90 % credible interval. */
  readonly interval: Interval
  /** Probability of no event in the coming year. */
  readonly noEvent: number
}

/** Mean, standard deviation and 90 % interval of the annual rate, and the chance of a year without event. */
export function summarizeRate(belief: GammaBelief): RateSummary {
  requireBelief(belief)
  const { shape, rate } = belief
  const law = gammaLaw(shape, 1 / rate)
  return {
    mean: shape / rate,
    deviation: Math.sqrt(shape) / rate,
    interval: { low: law.quantile(0.05), high: law.quantile(0.95) },
    noEvent: exp(-shape * log1p(1 / rate)),
  }
}

function requireBelief({ shape, rate }: GammaBelief): void {
  if (!(shape > 0 && rate > 0 && Number.isFinite(shape) && Number.isFinite(rate))) {
    throw new RangeError(`Shape and rate must be finite and above 0, got ${shape} and ${rate}`)
  }
}
