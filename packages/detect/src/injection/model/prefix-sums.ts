/**
 * Working memory of the scorer and the sums it reads windows from: of the weights of all features before one.
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
  /** `[feature * 2]` attack, `[feature * 2 + 1]` request: sums of the weights before the feature. */
  readonly sums: Int32Array
  readonly rarity: RarityScratch
  readonly features: FeatureBuffer
}

/** Working memory for `scoreText`; one per detector: 14 MB of addresses, of which texts in Latin letters touch a fifth. */
export function createScratch(): Scratch {
  const size = block + overlap + 2
  const features = createFeatureBuffer(size)
  return {
    sums: new Int32Array(features.buckets.length * 2 + 2),
    rarity: createRarityScratch(features.buckets.length),
    features,
  }
}

/** Reads a block's features and sums up its weights. */
export function fillPrefixSums(part: string, { pairs }: ScoringHeads, { sums, features }: Scratch): void {
  const count = extractFeatures(part, features)
  const { buckets } = features
  let [attack, request] = [0, 0]
  sums[0] = 0
  sums[1] = 0
  for (let feature = 0; feature < count; feature += 1) {
    const pair = pairs[buckets[feature] ?? 0] ?? 0
    attack += pair >> 8
    request += (pair << 24) >> 24
    sums[feature * 2 + 2] = attack
    sums[feature * 2 + 3] = request
  }
}
