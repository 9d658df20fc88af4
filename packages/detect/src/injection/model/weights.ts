import { buckets } from './features.ts'

/**
 * Subjects of the linear heads. `attack`: any attempt to supersede, extract or evade instructions. `leak`, `jailbreak`
 * and `indirect`: its kinds. `about_security`: text that speaks about attacks, which discounts the others. `request`:
 * text that asks an assistant for something, which in a document nobody should.
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

/** Weights laid out for scoring: one number holds what is read together, so that a feature costs one look into memory. */
export interface ScoringHeads {
  /** By bucket: attack in the high byte, request in the low one; small enough to stay in a processor's cache. */
  readonly pairs: Int16Array
  /** By bucket: the heads between them, a byte each, the first of them lowest. */
  readonly others: Int32Array
  readonly linear: LinearHeads
}

/** Lays out weights for scoring. */
export function scoringHeads(linear: LinearHeads): ScoringHeads {
  const [attack, request] = scanned
  const pairs = new Int16Array(buckets)
  const others = new Int32Array(buckets)
  const { values } = linear
  for (let bucket = 0, row = 0; bucket < buckets; bucket += 1, row += headCount) {
    pairs[bucket] = ((values[row + attack] ?? 0) << 8) | ((values[row + request] ?? 0) & 255)
    for (let head = attack + 1; head < request; head += 1)
      others[bucket] = (others[bucket] ?? 0) | (((values[row + head] ?? 0) & 255) << ((head - 1) * 8))
  }
  return { pairs, others, linear }
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
