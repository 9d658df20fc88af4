/** Serialized {@link TDigest}: plain JSON. */
export interface TDigestState {
  readonly compression: number
  readonly min: number
  readonly max: number
  /** Centroids in ascending order of their means. */
  readonly means: readonly number[]
  readonly weights: readonly number[]
}

/** Sketch of a distribution: quantiles with high accuracy in the tails from a bounded number of centroids. */
export interface TDigest {
  /** Number of values added. */
  readonly count: () => number
  readonly add: (value: number, weight?: number) => void
  /** Adds all centroids of another digest. */
  readonly merge: (other: TDigest) => void
  /** Value below which the share `q` (0..1) of all values lies; NaN while empty. */
  readonly quantile: (q: number) => number
  /** Share of values at or below `value`; NaN while empty. */
  readonly cdf: (value: number) => number
  readonly state: () => TDigestState
}

const defaultCompression = 100
const bufferFactor = 5

/**
 * Merging t-digest with the scale function k₁ (Dunning and Ertl 2019, "Computing extremely accurate quantiles using
 * t-digests"): a centroid may span at most one unit of `δ/(2π)·asin(2q − 1)`.
 */
export function createTDigest(compression = defaultCompression): TDigest {
  if (!(compression >= 10 && compression <= 10_000)) {
    throw new RangeError(`Compression must be 10..10,000, got ${compression}`)
  }
  return digest({ compression, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, means: [], weights: [] })
}

/** Restores a digest from its serialized state; throws a RangeError where the state is inconsistent. */
export function restoreTDigest(state: TDigestState): TDigest {
  const { means, weights, min, max, compression } = state
  const ascending = means.every(
    (mean, index) => Number.isFinite(mean) && (index === 0 || (means[index - 1] ?? 0) <= mean),
  )
  const bounded = means.length === 0 || (min <= (means[0] ?? 0) && max >= (means[means.length - 1] ?? 0))
  const positive = weights.every((weight) => weight > 0 && Number.isFinite(weight))
  const sized = compression >= 10 && compression <= 10_000 && means.length === weights.length
  if (!(ascending && bounded && positive && sized)) throw new RangeError('State is not that of a t-digest')
  return digest(state)
}

function digest(initial: TDigestState): TDigest {
  const { compression } = initial
  const limit = Math.ceil(compression * bufferFactor)
  let means = [...initial.means]
  let weights = [...initial.weights]
  let pendingMeans: number[] = []
  let pendingWeights: number[] = []
  let total = weights.reduce((sum, weight) => sum + weight, 0)
  // JSON has no infinities: an empty digest comes back with null or absent bounds.
  let min = means.length === 0 ? Number.POSITIVE_INFINITY : initial.min
  let max = means.length === 0 ? Number.NEGATIVE_INFINITY : initial.max

  function add(value: number, weight = 1): void {
    if (!Number.isFinite(value)) throw new RangeError(`Value must be finite, got ${value}`)
    if (!(weight > 0 && Number.isFinite(weight))) throw new RangeError(`Weight must be above 0, got ${weight}`)
    pendingMeans.push(value)
    pendingWeights.push(weight)
    total += weight
    min = Math.min(min, value)
    max = Math.max(max, value)
    if (pendingMeans.length >= limit) compress()
  }

  function merge(other: TDigest): void {
    const state = other.state()
    for (const [index, mean] of state.means.entries()) add(mean, state.weights[index] ?? 1)
    if (state.means.length === 0) return
    min = Math.min(min, state.min)
    max = Math.max(max, state.max)
  }

  function compress(): void {
    if (pendingMeans.length === 0) return
    const merged = compressed([...means, ...pendingMeans], [...weights, ...pendingWeights], total, compression)
    means = merged.means
    weights = merged.weights
    pendingMeans = []
    pendingWeights = []
  }

  const view = () => {
    compress()
    return { means, weights, min, max, total }
  }

  return {
    count: () => total,
    add,
    merge,
    quantile: (q) => quantileOf(view(), q),
    cdf: (value) => cdfOf(view(), value),
    state: () => {
      compress()
      const empty = means.length === 0
      return { compression, min: empty ? 0 : min, max: empty ? 0 : max, means: [...means], weights: [...weights] }
    },
  }
}

interface Centroids {
  readonly means: number[]
  readonly weights: number[]
}

/** Merges neighbors in ascending order as long as the merged centroid spans at most one unit of the scale function. */
function compressed(
  means: readonly number[],
  weights: readonly number[],
  total: number,
  compression: number,
): Centroids {
  const order = means.map((_, index) => index).sort((a, b) => (means[a] ?? 0) - (means[b] ?? 0) || a - b)
  const merged: Centroids = { means: [], weights: [] }
  let [mean, weight, before] = [0, 0, 0]
  let end = 0
  for (const index of order) {
    const [value, added] = [means[index] ?? 0, weights[index] ?? 0]
    if (weight > 0 && before + weight + added > end * total) {
      merged.means.push(mean)
      merged.weights.push(weight)
      before += weight
      weight = 0
    }
    if (weight === 0) end = nextLimit(before / total, compression)
    weight += added
    mean = weight === added ? value : mean + ((value - mean) * added) / weight
  }
  if (weight > 0) {
    merged.means.push(mean)
    merged.weights.push(weight)
  }
  return merged
}

/** Largest q that is one unit of k₁ above `q`. */
function nextLimit(q: number, compression: number): number {
  const unit = (2 * Math.PI) / compression
  const angle = Math.asin(2 * Math.min(1, q) - 1) + unit
  return angle >= Math.PI / 2 ? 1 : (Math.sin(angle) + 1) / 2
}

interface View extends Centroids {
  readonly min: number
  readonly max: number
  readonly total: number
}

/** Interpolates between the centers of neighboring centroids; minimum and maximum end the curve. */
function quantileOf(view: View, q: number): number {
  if (!(q >= 0 && q <= 1)) throw new RangeError(`Quantile must be 0..1, got ${q}`)
  if (view.total === 0) return Number.NaN
  const wanted = q * view.total
  let [leftRank, leftValue, rank] = [0, view.min, 0]
  for (const [index, weight] of view.weights.entries()) {
    const center = rank + weight / 2
    const value = view.means[index] ?? 0
    if (wanted < center) return between(leftRank, leftValue, center, value, wanted)
    leftRank = center
    leftValue = value
    rank += weight
  }
  return between(leftRank, leftValue, view.total, view.max, wanted)
}

function cdfOf(view: View, value: number): number {
  if (view.total === 0) return Number.NaN
  if (value < view.min) return 0
  if (value >= view.max) return 1
  let [leftRank, leftValue, rank] = [0, view.min, 0]
  for (const [index, weight] of view.weights.entries()) {
    const mean = view.means[index] ?? 0
    if (value < mean) return between(leftValue, leftRank, mean, rank + weight / 2, value) / view.total
    leftRank = rank + weight / 2
    leftValue = mean
    rank += weight
  }
  return between(leftValue, leftRank, view.max, view.total, value) / view.total
}

function between(x0: number, y0: number, x1: number, y1: number, x: number): number {
  return x1 === x0 ? y0 : y0 + ((x - x0) / (x1 - x0)) * (y1 - y0)
}
