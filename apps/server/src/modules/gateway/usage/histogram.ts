/**
 * Durations counted in buckets that grow by a fixed factor, so that the counts of many hours can be added up and a
 * quantile read from the sum is off by at most 2 %. The buckets are those of DDSketch (Masson, Rim, Lee 2019).
 * Tested in histogram.test.ts.
 */
const relativeError = 0.02
const growth = (1 + relativeError) / (1 - relativeError)
const logGrowth = Math.log(growth)
/** Shorter durations are counted as this, in milliseconds. */
const shortest = 0.001

export function bucketOf(ms: number): number {
  return Math.ceil(Math.log(Math.max(ms, shortest)) / logGrowth)
}

function middleOf(bucket: number): number {
  return (2 * growth ** bucket) / (growth + 1)
}

/** Counts by bucket. */
export type Buckets = ReadonlyMap<number, number>

/** The value at which this share of all is reached, with three digits after the point; null when there is none. */
export function quantile(buckets: Buckets, share: number): number | null {
  const all = [...buckets].filter(([, count]) => count > 0).sort(([a], [b]) => a - b)
  const total = all.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return null
  const rank = Math.max(1, Math.ceil(share * total))
  let seen = 0
  for (const [bucket, count] of all) {
    seen += count
    if (seen >= rank) return Math.round(middleOf(bucket) * 1000) / 1000
  }
  return null
}
