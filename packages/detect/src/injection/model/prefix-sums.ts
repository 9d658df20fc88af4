/**
 * Working memory of the scorer and the sums it reads windows from: of the weights of all features before a position.
 * Tested through windows.test.ts.
 */
import { createFeatureBuffer, extractFeatures, type FeatureBuffer } from './features.ts'
import { createRarityScratch, type RarityScratch } from './rarity.ts'
import type { ScoringHeads } from './weights.ts'

export const block = 65_536
/** Characters that a block repeats from the one before it: more than the longest window. */
export const overlap = 1_024

/** Features and prefix sums of one block, reused from call to call. */
export interface Scratch {
  /** `[position * 2]` attack, `[position * 2 + 1]` request: sums of the weights before the position. */
  readonly sums: Int32Array
  readonly rarity: RarityScratch
  readonly features: FeatureBuffer
}

/** Working memory for `scoreText`; one per detector, about 9 MB. */
export function createScratch(): Scratch {
  const size = block + overlap + 2
  const features = createFeatureBuffer(size)
  return { sums: new Int32Array(size * 2), rarity: createRarityScratch(features.buckets.length), features }
}

/** Reads a block's features and sums up its weights. */
export function fillPrefixSums(part: string, { pairs }: ScoringHeads, { sums, features }: Scratch): void {
  extractFeatures(part, features)
  const { buckets, until } = features
  let [attack, request, feature] = [0, 0, 0]
  sums[0] = 0
  sums[1] = 0
  for (let position = 1; position <= part.length; position += 1) {
    for (const end = until[position] ?? 0; feature < end; feature += 1) {
      const pair = pairs[buckets[feature] ?? 0] ?? 0
      attack += pair >> 8
      request += (pair << 24) >> 24
    }
    sums[position * 2] = attack
    sums[position * 2 + 1] = request
  }
}
