/**
 * The weights of all heads while they are learned, one gradient step at a time (AdaGrad: Duchi, Hazan and Singer, 2011).
 * The same steps give the same weights.
 */
import { buckets } from '../src/injection/model/features.ts'
import { headCount } from '../src/injection/model/weights.ts'
import { cell, type Slice } from './worst.ts'

export interface DescentSettings {
  readonly rate: number
  readonly decay: number
}

/** Target values of a slice for each head, see `Example`. */
interface Target {
  readonly labels: Int8Array
  readonly weight: number
}

/** A head that errs by less than this learns nothing. */
export const settled = 0.01

// The learned values of a bucket share one line of the processor's cache: weights, then sums of squared gradients.
const gradients = 8

function createCells(): Float32Array {
  const cells = new Float32Array(buckets * cell)
  for (let bucket = 0; bucket < buckets; bucket += 1)
    cells.fill(1e-4, bucket * cell + gradients, bucket * cell + gradients + headCount)
  return cells
}

export class Descent {
  readonly cells = createCells()
  readonly biases = new Array<number>(headCount).fill(0)
  readonly #biasGradients = new Array<number>(headCount).fill(1e-4)
  readonly #settings: DescentSettings
  readonly #deltas = new Float64Array(headCount)
  readonly #sums = new Float64Array(headCount)
  readonly #sumOfWeights = new Float64Array(buckets * headCount)
  readonly #sumOfBiases = new Array<number>(headCount).fill(0)
  #remembered = 0
  #error = 0

  constructor(settings: DescentSettings) {
    this.#settings = settings
  }

  /** Adds the weights as they are to those that are averaged. */
  remember(): void {
    for (let i = 0; i < this.#sumOfWeights.length; i += 1)
      this.#sumOfWeights[i] =
        (this.#sumOfWeights[i] ?? 0) + (this.cells[Math.floor(i / headCount) * cell + (i % headCount)] ?? 0)
    this.biases.forEach((bias, head) => {
      this.#sumOfBiases[head] = (this.#sumOfBiases[head] ?? 0) + bias
    })
    this.#remembered += 1
  }

  /** Weights, bucket by bucket, and biases: the mean of those remembered. */
  average(): [weights: Float32Array, biases: number[]] {
    return [
      Float32Array.from(this.#sumOfWeights, (sum) => sum / this.#remembered),
      this.#sumOfBiases.map((sum) => sum / this.#remembered),
    ]
  }

  /**
   * One step for all heads on the features of a slice: one pass to judge, one to learn.
   * @returns the largest error any head made on it
   */
  step(features: Uint32Array, slice: Slice, target: Target): number {
    this.#error = 0
    if (slice.to <= slice.from) return 0
    const scale = 1 / Math.sqrt(slice.to - slice.from)
    this.#sum(features, slice)
    let learns = false
    for (let head = 0; head < headCount; head += 1) {
      const delta = this.#delta(head, (this.#sums[head] ?? 0) * scale, target)
      this.#deltas[head] = delta * scale
      learns ||= delta !== 0
    }
    if (learns) this.#descend(features, slice)
    return this.#error
  }

  #sum(features: Uint32Array, { from, to }: Slice): void {
    const cells = this.cells
    let [s0, s1, s2, s3, s4, s5] = [0, 0, 0, 0, 0, 0]
    for (let i = from; i < to; i += 1) {
      const at = (features[i] ?? 0) * cell
      s0 += cells[at] ?? 0
      s1 += cells[at + 1] ?? 0
      s2 += cells[at + 2] ?? 0
      s3 += cells[at + 3] ?? 0
      s4 += cells[at + 4] ?? 0
      s5 += cells[at + 5] ?? 0
    }
    this.#sums.set([s0, s1, s2, s3, s4, s5])
  }

  #delta(head: number, sum: number, { labels, weight }: Target): number {
    const label = labels[head] ?? -1
    if (label < 0) return 0
    const delta = (1 / (1 + Math.exp(-sum - (this.biases[head] ?? 0))) - label) * weight
    this.#error = Math.max(this.#error, Math.abs(delta))
    if (Math.abs(delta) < settled) return 0
    const squared = (this.#biasGradients[head] ?? 0) + delta * delta
    this.#biasGradients[head] = squared
    this.biases[head] = (this.biases[head] ?? 0) - (this.#settings.rate * 0.1 * delta) / Math.sqrt(squared)
    return delta
  }

  #descend(features: Uint32Array, { from, to }: Slice): void {
    const { rate, decay } = this.#settings
    const cells = this.cells
    for (let head = 0; head < headCount; head += 1) {
      const delta = this.#deltas[head] ?? 0
      if (delta === 0) continue
      const squared = delta * delta
      for (let i = from; i < to; i += 1) {
        const at = (features[i] ?? 0) * cell + head
        const sum = (cells[at + gradients] ?? 0) + squared
        const weight = cells[at] ?? 0
        cells[at + gradients] = sum
        cells[at] = weight - (rate * (delta + decay * weight)) / Math.sqrt(sum)
      }
    }
  }
}
