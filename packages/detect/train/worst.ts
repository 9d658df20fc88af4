/** Finds the part of a text that looks most like an attack to the weights as they are. */
import { eachSentence } from '../src/injection/model/spans.ts'
import { indexAt, shortText, type TextFeatures } from './instances.ts'

/** Features of a text from one index to another. */
export interface Slice {
  readonly from: number
  readonly to: number
}

/** Numbers a bucket has among those being learned; the first is the weight of the `attack` head. */
export const cell = 16

/** Sums of the weights before each feature of a text, good until the weights change or the next text is summed. */
export type Sums = Float64Array

export class Search {
  readonly #cells: Float32Array
  readonly #biases: readonly number[]
  #prefix = new Float64Array(1 << 16)

  /** Both arrays are read as they are at the time of a search. */
  constructor(cells: Float32Array, biases: readonly number[]) {
    this.#cells = cells
    this.#biases = biases
  }

  /** The reading whose best window looks worst. */
  worst(views: readonly TextFeatures[]): TextFeatures | undefined {
    let worst: TextFeatures | undefined
    let highest = Number.NEGATIVE_INFINITY
    for (const view of views) {
      const slice =
        view.length <= shortText ? { from: 0, to: view.buckets.length } : this.window(view, this.sums(view), 320)
      const logit = this.#logit(view.buckets, slice)
      if (logit > highest) {
        highest = logit
        worst = view
      }
    }
    return worst
  }

  /** The window of `size` characters that looks worst; the whole of a shorter text. */
  window(view: TextFeatures, sums: Sums, size: number): Slice {
    if (view.length <= size) return { from: 0, to: view.buckets.length }
    const best = bestOf(view, sums, { from: 0, to: 0 })
    const last = view.length - size
    for (let at = 0; ; at += size >> 2) {
      const start = Math.min(at, last)
      best.try(start, start + size)
      if (at >= last) return best.slice()
    }
  }

  /** The sentence or pair of sentences that looks worst; the whole of a text without any. */
  sentence(view: TextFeatures, sums: Sums): Slice {
    const best = bestOf(view, sums, { from: 0, to: view.buckets.length })
    eachSentence(view.ends, best.try)
    return best.slice()
  }

  /** As `sentence`, up to `count` of them that have nothing in common, the worst first. */
  sentences(view: TextFeatures, sums: Sums, count: number): readonly Slice[] {
    const found = [this.sentence(view, sums)]
    while (found.length < count) {
      const best = bestOf(view, sums, { from: 0, to: 0 })
      eachSentence(view.ends, (start, end) => {
        const [from, to] = [indexAt(view, start), indexAt(view, end)]
        if (found.every((other) => to <= other.from || from >= other.to)) best.try(start, end)
      })
      const next = best.slice()
      if (next.to <= next.from) break
      found.push(next)
    }
    return found
  }

  #logit(features: Uint32Array, { from, to }: Slice): number {
    const [bias = 0] = this.#biases
    if (to <= from) return bias
    let sum = 0
    for (let i = from; i < to; i += 1) sum += this.#cells[(features[i] ?? 0) * cell] ?? 0
    return sum / Math.sqrt(to - from) + bias
  }

  sums({ buckets: features }: TextFeatures): Sums {
    if (this.#prefix.length <= features.length) this.#prefix = new Float64Array(features.length * 2)
    let sum = 0
    for (let i = 0; i < features.length; i += 1) {
      sum += this.#cells[(features[i] ?? 0) * cell] ?? 0
      this.#prefix[i + 1] = sum
    }
    return this.#prefix
  }
}

function bestOf(view: TextFeatures, sums: Sums, fallback: Slice) {
  let worst = fallback
  let highest = Number.NEGATIVE_INFINITY
  return {
    try: (start: number, end: number): void => {
      const from = indexAt(view, start)
      const to = indexAt(view, end)
      const score = to > from ? ((sums[to] ?? 0) - (sums[from] ?? 0)) / Math.sqrt(to - from) : 0
      if (!(score > highest)) return
      highest = score
      worst = { from, to }
    },
    slice: (): Slice => worst,
  }
}
