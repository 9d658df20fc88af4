/**
 * Exact order statistics of a large sample without sorting it: non-negative numbers are counted into buckets by the
 * leading bits of their floating-point form, and only buckets that hold a wanted rank or threshold are sorted.
 */
const bucketBits = 16

export interface OrderedSample {
  readonly size: number
  readonly zeros: number
  readonly smallest: number
  readonly largest: number
  /** Values at 0-based ranks of the sorted sample. */
  valuesAt(ranks: readonly number[]): readonly number[]
  /** Number of values above each threshold. */
  countsAbove(thresholds: readonly number[]): readonly number[]
}

interface Buckets {
  readonly counts: Uint32Array
  /** Rank of the first value of each bucket. */
  readonly starts: Uint32Array
  readonly shift: number
  readonly base: number
  readonly zeros: number
  readonly smallest: number
  readonly largest: number
}

function bucketsOf(values: Float64Array, words: Uint32Array): Buckets {
  const { low, high, zeros, smallest, largest } = extent(values, words)
  const shift = Math.max(0, 32 - Math.clz32(high - low) - bucketBits)
  const base = low >>> shift
  const counts = new Uint32Array((high >>> shift) - base + 2)
  for (let i = 1; i < words.length; i += 2) {
    const bucket = ((words[i] ?? 0) >>> shift) - base
    // A loss of zero is below every bucket.
    if (bucket >= 0) counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  const starts = new Uint32Array(counts.length)
  let at = zeros
  for (let bucket = 0; bucket < counts.length; bucket += 1) {
    starts[bucket] = at
    at += counts[bucket] ?? 0
  }
  return { counts, starts, shift, base, zeros, smallest, largest }
}

/** @param values at least one; 0 or more, of which those below 1e-313 count as 0. */
export function orderSample(values: Float64Array): OrderedSample {
  const words = new Uint32Array(values.buffer, values.byteOffset, 2 * values.length)
  const buckets = bucketsOf(values, words)
  const { starts, zeros, shift, base, smallest, largest } = buckets
  return {
    size: values.length,
    zeros,
    smallest,
    largest,
    valuesAt: (ranks) => {
      const places = ranks.map((rank) => (rank < zeros ? -1 : lastAtMost(starts, rank)))
      const found = sortBuckets(values, words, new Set(places), buckets)
      return ranks.map((rank, i) => {
        const bucket = places[i] ?? -1
        return bucket < 0 ? 0 : (found.get(bucket)?.[rank - (starts[bucket] ?? 0)] ?? 0)
      })
    },
    countsAbove: (thresholds) => {
      const places = thresholds.map((x) => (x <= 0 ? -1 : (highWord(x) >>> shift) - base))
      const found = sortBuckets(values, words, new Set(places), buckets)
      return thresholds.map((x, i) => {
        const bucket = places[i] ?? -1
        if (bucket < 0) return x < 0 ? values.length : values.length - zeros
        if (bucket >= starts.length - 1) return 0
        return values.length - (starts[bucket] ?? 0) - countUpTo(found.get(bucket) ?? new Float64Array(0), x)
      })
    },
  }
}

const one = new Float64Array(1)
const oneWords = new Uint32Array(one.buffer)
// Little-endian, as every platform Node.js runs on.
function highWord(value: number): number {
  one[0] = value
  return oneWords[1] ?? 0
}

interface Extent {
  /** High words of the smallest and the largest value above 0. */
  readonly low: number
  readonly high: number
  readonly zeros: number
  readonly smallest: number
  readonly largest: number
}

function extent(values: Float64Array, words: Uint32Array): Extent {
  let zeros = 0
  let [least, smallest, largest] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0]
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] ?? 0
    if (value < smallest) smallest = value
    if (value > largest) largest = value
    // A value whose high word is 0 counts as 0.
    if ((words[2 * i + 1] ?? 0) === 0) zeros += 1
    else if (value < least) least = value
  }
  const isEmpty = zeros === values.length
  const [low, high] = isEmpty ? [1, 1] : [highWord(least), highWord(largest)]
  return { low, high, zeros, smallest, largest }
}

function sortBuckets(
  values: Float64Array,
  words: Uint32Array,
  wanted: ReadonlySet<number>,
  { counts, shift, base }: Buckets,
): ReadonlyMap<number, Float64Array> {
  const offsets = new Int32Array(counts.length).fill(-1)
  let total = 0
  for (const bucket of wanted)
    if (bucket >= 0 && bucket < counts.length) {
      offsets[bucket] = total
      total += counts[bucket] ?? 0
    }
  const gathered = new Float64Array(total)
  const ends = offsets.slice()
  for (let i = 0; i < values.length; i += 1) {
    const bucket = ((words[2 * i + 1] ?? 0) >>> shift) - base
    const at = bucket < 0 ? -1 : (ends[bucket] ?? -1)
    if (at < 0) continue
    gathered[at] = values[i] ?? 0
    ends[bucket] = at + 1
  }
  const found = new Map<number, Float64Array>()
  for (const bucket of wanted) {
    const start = offsets[bucket] ?? -1
    if (start >= 0) found.set(bucket, gathered.subarray(start, start + (counts[bucket] ?? 0)).sort())
  }
  return found
}

/** Last index whose start is at most the rank. */
function lastAtMost(starts: Uint32Array, rank: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= rank) low = middle
    else high = middle - 1
  }
  return low
}

function countUpTo(sorted: Float64Array, x: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= x) low = middle + 1
    else high = middle
  }
  return low
}
