/**
 * Sums of the heads that are not scanned, over a few ranges of features that mostly overlap: the best windows of a text
 * at all scales tend to lie around one place. Promises one look at every feature. Tested through windows.test.ts.
 */
import type { ScoringHeads } from './weights.ts'

/** A range of the features of a text. */
export interface FeatureRange {
  readonly from: number
  readonly to: number
}

/** Sums of leak, jailbreak, indirect and about_security. */
export type OtherSums = [leak: number, jailbreak: number, indirect: number, aboutSecurity: number]

/** The sums of each range. */
export function otherSums(
  ranges: readonly FeatureRange[],
  buckets: Uint32Array,
  { others }: ScoringHeads,
): readonly OtherSums[] {
  const sums = ranges.map((): OtherSums => [0, 0, 0, 0])
  const bounds = ranges.flatMap(({ from, to }) => [from, to]).sort((a, b) => a - b)
  bounds.forEach((from, i) => {
    const to = bounds[i + 1] ?? from
    const isWithin = (range: FeatureRange): boolean => range.from <= from && to <= range.to
    if (to === from || !ranges.some(isWithin)) return
    const part = sumBetween(buckets, others, { from, to })
    ranges.forEach((range, k) => {
      const sum = sums[k]
      if (sum && isWithin(range)) addTo(sum, part)
    })
  })
  return sums
}

function sumBetween(buckets: Uint32Array, others: Int32Array, { from, to }: FeatureRange): OtherSums {
  let [leak, jailbreak, indirect, aboutSecurity] = [0, 0, 0, 0]
  for (let i = from; i < to; i += 1) {
    const four = others[buckets[i] ?? 0] ?? 0
    leak += (four << 24) >> 24
    jailbreak += (four << 16) >> 24
    indirect += (four << 8) >> 24
    aboutSecurity += four >> 24
  }
  return [leak, jailbreak, indirect, aboutSecurity]
}

function addTo(sum: OtherSums, part: OtherSums): void {
  for (let head = 0; head < part.length; head += 1) sum[head] = (sum[head] ?? 0) + (part[head] ?? 0)
}
