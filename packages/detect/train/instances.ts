import { createFeatureBuffer, extractFeatures } from '../src/injection/model/features.ts'
import { sentenceEnds } from '../src/injection/model/spans.ts'

/** The features of one normalized text, in text order. */
export interface TextFeatures {
  readonly length: number
  readonly buckets: Uint32Array
  /** For each position the number of features before it; kept only for texts long enough to have windows. */
  readonly until: Uint32Array
  /** Where sentences end; only with `until`. */
  readonly ends: Uint32Array
}

/** Texts up to this length are learned as a whole only. */
export const shortText = 400

/** Texts up to this length are one sentence to the learner too. */
export const wholeText = 80

const longest = 40_000
const buffer = createFeatureBuffer(longest)

/** Collects the features of a text, of a longer one its first 40,000 characters. */
export function featuresOf(text: string): TextFeatures {
  const read = text.slice(0, longest)
  const count = extractFeatures(read, buffer)
  const windowed = read.length > wholeText
  return {
    length: read.length,
    buckets: buffer.buckets.slice(0, count),
    until: windowed ? buffer.until.slice(0, read.length + 1) : new Uint32Array(0),
    ends: windowed ? sentenceEnds(read) : new Uint32Array(0),
  }
}

/** Index of the first feature at or after a position of the text. */
export function indexAt({ until }: TextFeatures, position: number): number {
  return until[Math.max(0, Math.min(position, until.length - 1))] ?? 0
}
