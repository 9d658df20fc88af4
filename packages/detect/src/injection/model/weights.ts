import { buckets } from './features.ts'

/**
 * What the linear heads judge. `attack`: any attempt to supersede, extract or evade instructions. `leak`, `jailbreak` and
 * `indirect`: its kinds. `about_security`: text that speaks about attacks, which discounts the others. `request`: text
 * that asks an assistant for something, which in a document nobody should.
 */
export const heads = ['attack', 'leak', 'jailbreak', 'indirect', 'about_security', 'request'] as const
export type Head = (typeof heads)[number]
export const headCount = heads.length

/** Quantized linear heads: `values[bucket * headCount + head] * scales[head]` is a weight. */
export interface LinearHeads {
  readonly values: Int8Array
  readonly scales: readonly number[]
  readonly biases: readonly number[]
}

/** Heads that have a score for every window; the others are summed only where one of these found its best. */
export const scanned = [heads.indexOf('attack'), heads.indexOf('request')] as const

/** Weights laid out for scoring: the scanned heads of a bucket side by side, apart from the others. */
export interface ScoringHeads {
  /** `[bucket * 2]` attack, `[bucket * 2 + 1]` request: small enough to stay in a processor's cache. */
  readonly pairs: Int8Array
  readonly linear: LinearHeads
}

/** Lays out weights for scoring. */
export function scoringHeads(linear: LinearHeads): ScoringHeads {
  const [attack, request] = scanned
  const pairs = new Int8Array(buckets * 2)
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    pairs[bucket * 2] = linear.values[bucket * headCount + attack] ?? 0
    pairs[bucket * 2 + 1] = linear.values[bucket * headCount + request] ?? 0
  }
  return { pairs, linear }
}

const largest = 127

/**
 * Rounds weights (same layout, floating point) to bytes. The scale of a head is set by its 99.99th percentile: the few
 * heavier weights are cut, which costs less than the coarser steps that keeping them would bring.
 */
export function quantize(weights: Float32Array, biases: readonly number[]): LinearHeads {
  const scales = heads.map((_, head) => scaleOf(weights, head))
  const values = new Int8Array(buckets * headCount)
  for (let i = 0; i < values.length; i += 1) {
    const step = scales[i % headCount] ?? 1
    values[i] = Math.max(-largest, Math.min(largest, Math.round((weights[i] ?? 0) / step)))
  }
  return { values, scales, biases: biases.map(Math.fround) }
}

function scaleOf(weights: Float32Array, head: number): number {
  const sizes = new Float32Array(buckets)
  for (let i = 0; i < buckets; i += 1) sizes[i] = Math.abs(weights[i * headCount + head] ?? 0)
  sizes.sort()
  return Math.fround((sizes[Math.floor(buckets * 0.9999)] || 1) / largest)
}
