/**
 * How much a feature tells about the place where it stands: features that the text repeats are its own manner, and a
 * feature in a single place belongs to that place. A manual of security speaks of passwords and instructions on every
 * page; a sentence that was planted in it does not speak like the rest. Promises one look at every feature of the text
 * however many spans are asked about. Tested in rarity.test.ts.
 */
import { buckets, type FeatureBuffer } from './features.ts'
import type { ScoringHeads } from './weights.ts'

/** The weight of a feature that stands once, as an integer, so that sums are the same on every machine. */
export const wholeWeight = 64

const mostCounted = 255

/** By how often a feature stands in the text: `wholeWeight / √count`, the last for that often and more. */
const rarity: Int32Array = /* @__PURE__ */ Int32Array.from({ length: mostCounted + 1 }, (_, count) =>
  Math.round(wholeWeight / Math.sqrt(Math.max(1, count))),
)

/** Positions of a span in the text of the feature buffer. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface RarityScratch {
  readonly counts: Uint8Array
  readonly sums: Int32Array
}

/** Working memory for texts of up to `features` features. */
export const createRarityScratch = (features: number): RarityScratch => ({
  counts: new Uint8Array(buckets),
  sums: new Int32Array(features + 1),
})

/**
 * The `attack` sums of some spans, each weight times the rarity of its feature in the whole text, in units of
 * `1 / wholeWeight`.
 */
export function rareSums(
  spans: readonly Span[],
  { buckets: features, until }: FeatureBuffer,
  parts: { readonly length: number; readonly heads: ScoringHeads; readonly scratch: RarityScratch },
): readonly number[] {
  const { counts, sums } = parts.scratch
  const { pairs } = parts.heads
  const count = until[parts.length] ?? 0
  const ranges = spans.map(({ start, end }) => ({ from: until[start] ?? 0, to: until[end] ?? 0 }))
  const work = ranges.reduce((all, { from, to }) => all + to - from, 0)
  const few = work <= count
  countFeatures(features, { length: count, ranges: few ? ranges : [{ from: 0, to: count }] }, counts)
  const rareOf = (feature: number): number => {
    const bucket = features[feature] ?? 0
    return ((pairs[bucket] ?? 0) >> 8) * (rarity[(counts[bucket] ?? 1) - 1] ?? 0)
  }
  if (few) {
    return ranges.map(({ from, to }) => {
      let sum = 0
      for (let i = from; i < to; i += 1) sum += rareOf(i)
      return sum
    })
  }
  // Many spans that lie over each other: sums from the beginning, which may run over while their differences do not.
  for (let i = 0, sum = 0; i < count; i += 1) {
    sum = (sum + rareOf(i)) | 0
    sums[i + 1] = sum
  }
  return ranges.map(({ from, to }) => ((sums[to] ?? 0) - (sums[from] ?? 0)) | 0)
}

interface Range {
  readonly from: number
  readonly to: number
}

/**
 * One more than how often each feature of the ranges stands in the text, at most 255; zero for all others: most features
 * of a text are in no range, and looking is cheaper than counting.
 */
function countFeatures(
  features: Uint32Array,
  { length, ranges }: { readonly length: number; readonly ranges: readonly Range[] },
  counts: Uint8Array,
): void {
  counts.fill(0)
  for (const { from, to } of ranges) for (let i = from; i < to; i += 1) counts[features[i] ?? 0] = 1
  for (let i = 0; i < length; i += 1) {
    const bucket = features[i] ?? 0
    const before = counts[bucket] ?? 0
    if (before !== 0 && before < mostCounted) counts[bucket] = before + 1
  }
}
