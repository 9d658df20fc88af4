import { gammaLaw } from '../distributions/tail-laws.ts'

/** Counts by name, for example calls by tool. */
export type Histogram = ReadonlyMap<string, number>

/**
 * Jensen–Shannon divergence in bits (base 2, 0..1) of two vectors of non-negative weights; each is divided by its sum.
 */
export function jensenShannon(first: readonly number[], second: readonly number[]): number {
  if (first.length !== second.length) throw new RangeError(`Lengths differ: ${first.length} and ${second.length}`)
  const [totalFirst, totalSecond] = [totalOf(first), totalOf(second)]
  let divergence = 0
  for (let i = 0; i < first.length; i++) {
    const p = (first[i] ?? 0) / totalFirst
    const q = (second[i] ?? 0) / totalSecond
    divergence += (relativeEntropy(p, (p + q) / 2) + relativeEntropy(q, (p + q) / 2)) / 2
  }
  return Math.min(1, Math.max(0, divergence))
}

function relativeEntropy(p: number, m: number): number {
  return p === 0 ? 0 : p * Math.log2(p / m)
}

function totalOf(weights: readonly number[]): number {
  let total = 0
  for (const weight of weights) {
    if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`Weights must be finite and 0 or more, got ${weight}`)
    }
    total += weight
  }
  if (total === 0) throw new RangeError('All weights are 0')
  return total
}

export interface MixShift {
  /** Divergence in bits. */
  readonly divergence: number
  readonly threshold: number
  /** Divergence is above the threshold. */
  readonly shifted: boolean
}

/**
 * Compares a histogram with its baseline: Jensen–Shannon divergence with ½ added to every count, against the larger of
 * 0.10 and the sampling noise of {@link mixNoise}.
 */
export function mixShift(current: Histogram, baseline: Histogram): MixShift {
  const names = [...new Set([...current.keys(), ...baseline.keys()])]
  const smoothed = (histogram: Histogram) => names.map((name) => (histogram.get(name) ?? 0) + 0.5)
  const calls = [...current.values()].reduce((sum, count) => sum + count, 0)
  if (names.length < 2 || calls === 0) return { divergence: 0, threshold: 0.1, shifted: false }
  const divergence = jensenShannon(smoothed(current), smoothed(baseline))
  const threshold = Math.max(0.1, mixNoise(names.length, calls))
  return { divergence, threshold, shifted: divergence > threshold }
}

/**
 * 99.9th percentile of the divergence that sampling alone causes: `χ²₀.₉₉₉(k−1)/(8·n·ln 2)` bits for n draws of k
 * categories against a known mix.
 */
export function mixNoise(categories: number, draws: number): number {
  // A chi-square law of k − 1 degrees of freedom is a gamma law of half that shape and scale 2.
  return gammaLaw((categories - 1) / 2, 2).quantile(0.999) / (8 * draws * Math.LN2)
}
