import type { Law } from './specification.ts'

/** All mass at one value. */
export function constantLaw(value: number): Law {
  return discreteLaw([value], [1])
}

/** Continuous uniform law. */
export function uniformLaw(low: number, high: number): Law {
  return {
    low,
    high,
    mean: 0.5 * (low + high),
    variance: (high - low) ** 2 / 12,
    cdf: (x) => (x <= low ? 0 : x >= high ? 1 : (x - low) / (high - low)),
    quantile: (p) => low + p * (high - low),
    upperQuantile: (q) => high - q * (high - low),
    beta: { alpha: 1, beta: 1 },
  }
}

/** Triangular law. */
export function triangularLaw(low: number, mode: number, high: number): Law {
  const width = high - low
  const atMode = (mode - low) / width
  const quantile = (p: number): number =>
    p < atMode ? low + Math.sqrt(p * width * (mode - low)) : high - Math.sqrt((1 - p) * width * (high - mode))
  return {
    low,
    high,
    mean: (low + mode + high) / 3,
    variance: (low * low + mode * mode + high * high - low * mode - low * high - mode * high) / 18,
    cdf: (x) => {
      if (x <= low) return 0
      if (x >= high) return 1
      return x <= mode ? (x - low) ** 2 / (width * (mode - low)) : 1 - (high - x) ** 2 / (width * (high - mode))
    },
    quantile,
    upperQuantile: (q) => (q < 1 - atMode ? high - Math.sqrt(q * width * (high - mode)) : quantile(1 - q)),
  }
}

/** Finitely many values; equal ones are added together. */
export function discreteLaw(given: readonly number[], weights: readonly number[]): Law {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const byValue = new Map<number, number>()
  given.forEach((value, i) => {
    byValue.set(value, (byValue.get(value) ?? 0) + (weights[i] ?? 0) / total)
  })
  const pairs = [...byValue].filter(([, p]) => p > 0).sort(([a], [b]) => a - b)
  const values = pairs.map(([value]) => value)
  const probabilities = pairs.map(([, p]) => p)
  const cumulative: number[] = []
  probabilities.reduce((sum, p) => {
    cumulative.push(sum + p)
    return sum + p
  }, 0)
  const mean = values.reduce((sum, x, i) => sum + x * (probabilities[i] ?? 0), 0)
  const last = values.length - 1
  const quantile = (p: number): number => values[Math.min(last, firstAtLeast(cumulative, p))] ?? 0
  return {
    low: values[0] ?? 0,
    high: values[last] ?? 0,
    mean,
    variance: values.reduce((sum, x, i) => sum + (x - mean) ** 2 * (probabilities[i] ?? 0), 0),
    cdf: (x) => {
      const above = firstAbove(values, x)
      return above === 0 ? 0 : above > last ? 1 : (cumulative[above - 1] ?? 1)
    },
    quantile,
    upperQuantile: (q) => quantile(1 - q),
    atoms: { values, probabilities },
  }
}

/** Index of the first element >= x; the length where there is none. */
function firstAtLeast(sorted: readonly number[], x: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < x) low = middle + 1
    else high = middle
  }
  return low
}

function firstAbove(sorted: readonly number[], x: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= x) low = middle + 1
    else high = middle
  }
  return low
}
