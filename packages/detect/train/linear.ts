/**
 * Trains the linear heads by stochastic gradient descent (AdaGrad: Duchi, Hazan and Singer, 2011) on the logistic loss.
 * Long texts are learned by windows: of a harmless text the window that looks worst, because every window of it is
 * harmless; of an attack the window that looks worst too, because that is where the attack probably stands (multiple
 * instance learning: Andrews, Tsochantaridis and Hofmann, 2002).
 */
import { buckets } from '../src/injection/model/features.ts'
import { headCount, type LinearHeads, quantize } from '../src/injection/model/weights.ts'
import { scales } from '../src/injection/model/windows.ts'
import type { Range } from '../src/injection/sentences.ts'
import { indexAt, shortText, type TextFeatures, wholeText } from './instances.ts'
import { createRandom, type Random } from './random.ts'
import { Search, type Slice } from './worst.ts'

export interface Example {
  /** Readings of the text: as written, decoded … At least one. */
  readonly views: readonly TextFeatures[]
  /** 1, 0, or -1 for a head that learns nothing from the text; one per head. */
  readonly labels: Int8Array
  readonly weight: number
  /** For an attack inside a carrier: where it stands in the first view, if known. The carrier itself is harmless. */
  readonly planted?: 'somewhere' | Range
  /** The text may quote attacks: it is harmless as a whole, which says nothing of its sentences. */
  readonly quotes?: boolean
}

export interface LinearSettings {
  readonly epochs: number
  readonly rate: number
  readonly decay: number
  readonly seed: number
}

export const linearSettings: LinearSettings = { epochs: 5, rate: 0.25, decay: 2e-6, seed: 20261121 }

/** Learns all heads at once; the same examples and settings give the same weights. */
export function trainLinear(examples: readonly Example[], settings: LinearSettings = linearSettings): LinearHeads {
  const learner = new Learner(settings)
  const random = createRandom(settings.seed)
  const order = examples.map((_, i) => i)
  const errors = new Float32Array(examples.length).fill(1)
  for (let epoch = 0; epoch < settings.epochs; epoch += 1) {
    shuffle(order, random)
    for (const index of order) {
      const example = examples[index]
      const rests = (errors[index] ?? 1) < settled && (index + epoch) % 4 !== 0
      if (example !== undefined && !rests) errors[index] = learner.learn(example, epoch, random)
    }
  }
  return quantize(learner.weights, learner.biases)
}

function shuffle(items: number[], random: Random): void {
  for (let i = items.length - 1; i > 0; i -= 1) {
    const j = random.below(i + 1)
    const [a, b] = [items[i] ?? 0, items[j] ?? 0]
    items[i] = b
    items[j] = a
  }
}

// A head that errs by less than this learns nothing, and a text none of whose heads does is looked at in one epoch of
// four from then on: most texts are settled after two epochs.
const settled = 0.01

const noLabels = new Int8Array(headCount)

/** Sentences of a harmless text that are learned: what matters later is the worst of all sentences of a long document. */
const sentencesIn = ({ length }: TextFeatures): number => (length > 2_000 ? 4 : length > shortText ? 2 : 1)

class Learner {
  readonly weights = new Float32Array(buckets * headCount)
  readonly biases = new Array<number>(headCount).fill(0)
  readonly #gradients = new Float32Array(buckets * headCount).fill(1e-4)
  readonly #biasGradients = new Array<number>(headCount).fill(1e-4)
  readonly #settings: LinearSettings
  readonly #deltas = new Float64Array(headCount)
  readonly #sums = new Float64Array(headCount)
  readonly #search = new Search(this.weights, this.biases)
  #error = 0

  constructor(settings: LinearSettings) {
    this.#settings = settings
  }

  /** Learns from one text and answers the largest error any head made on it. */
  learn({ views, labels, weight, planted, quotes = false }: Example, epoch: number, random: Random): number {
    this.#error = 0
    const attack = labels[0] === 1
    if (!attack) {
      for (const view of views) this.#learnHarmless(view, { labels, weight: weight / views.length, random, quotes })
      return this.#error
    }
    const view = views.length === 1 ? views[0] : epoch === 0 ? undefined : this.#search.worst(views)
    if (view === undefined) return 1
    const [first] = views
    if (planted !== undefined && first !== undefined && first.length > shortText)
      this.#learnPlanted(first, planted, { labels, weight, random, epoch })
    else this.#learnAttack(view, { labels, weight, random, epoch })
    return epoch === 0 ? 1 : this.#error
  }

  #learnHarmless(
    view: TextFeatures,
    { labels, weight, random, quotes }: { labels: Int8Array; weight: number; random: Random; quotes: boolean },
  ): void {
    const all = { from: 0, to: view.buckets.length }
    if (view.length > wholeText && !quotes)
      for (const slice of this.#search.sentences(view, sentencesIn(view)))
        this.#step(view, slice, { labels, weight: weight * 0.7 })
    if (view.length <= shortText) {
      this.#step(view, all, { labels, weight })
      return
    }
    this.#step(view, all, { labels, weight: weight * 0.6 })
    const size = random.pick(scales)
    if (!quotes) this.#step(view, this.#search.window(view, size), { labels, weight })
    const start = random.below(Math.max(1, view.length - size))
    const anywhere = { from: indexAt(view, start), to: indexAt(view, start + size) }
    this.#step(view, anywhere, { labels, weight: weight * 0.5 })
  }

  #learnAttack(
    view: TextFeatures,
    { labels, weight, random, epoch }: { labels: Int8Array; weight: number; random: Random; epoch: number },
  ): void {
    const all = { from: 0, to: view.buckets.length }
    if (view.length > wholeText && epoch > 0)
      this.#step(view, this.#search.sentence(view), { labels, weight: weight * 0.4 })
    if (view.length <= shortText) {
      this.#step(view, all, { labels, weight })
      return
    }
    this.#step(view, all, { labels, weight: weight * (view.length > 2_500 ? 0.15 : 0.6) })
    if (epoch > 0)
      this.#step(view, this.#search.window(view, random.pick([320, 800])), { labels, weight: weight * 0.7 })
  }

  /** An attack in a carrier: only windows around it are an attack, the others are as harmless as any document. */
  #learnPlanted(
    view: TextFeatures,
    planted: 'somewhere' | Range,
    { labels, weight, random, epoch }: { labels: Int8Array; weight: number; random: Random; epoch: number },
  ): void {
    if (planted === 'somewhere') {
      const slice = random.chance(0.5)
        ? this.#search.sentence(view)
        : this.#search.window(view, random.pick([160, 320]))
      if (epoch > 0) this.#step(view, slice, { labels, weight: weight * 0.7 })
      return
    }
    const exact = { from: indexAt(view, planted.start), to: indexAt(view, planted.end) }
    this.#step(view, exact, { labels, weight: weight * 0.7 })
    const spare = random.pick(scales.slice(0, 2)) - (planted.end - planted.start)
    const before = spare > 0 ? random.below(spare) : 0
    const start = Math.max(0, planted.start - before)
    const end = Math.max(planted.end, planted.end + spare - before)
    this.#step(view, { from: indexAt(view, start), to: indexAt(view, end) }, { labels, weight })
    const size = random.pick(scales)
    const elsewhere = random.below(Math.max(1, view.length - size))
    const clear = elsewhere + size < planted.start || elsewhere > planted.end
    if (!clear) return
    const slice = { from: indexAt(view, elsewhere), to: indexAt(view, elsewhere + size) }
    this.#step(view, slice, { labels: noLabels, weight: weight * 0.5 })
  }

  /** One gradient step for all heads on the features of a slice: one pass to judge, one to learn. */
  #step({ buckets: features }: TextFeatures, slice: Slice, target: { labels: Int8Array; weight: number }): void {
    if (slice.to <= slice.from) return
    const scale = 1 / Math.sqrt(slice.to - slice.from)
    this.#sum(features, slice)
    let learns = false
    for (let head = 0; head < headCount; head += 1) {
      const delta = this.#delta(head, (this.#sums[head] ?? 0) * scale, target)
      this.#deltas[head] = delta * scale
      learns ||= delta !== 0
    }
    if (learns) this.#descend(features, slice)
  }

  #sum(features: Uint32Array, { from, to }: Slice): void {
    const { weights } = this
    let [s0, s1, s2, s3, s4, s5] = [0, 0, 0, 0, 0, 0]
    for (let i = from; i < to; i += 1) {
      const at = (features[i] ?? 0) * headCount
      s0 += weights[at] ?? 0
      s1 += weights[at + 1] ?? 0
      s2 += weights[at + 2] ?? 0
      s3 += weights[at + 3] ?? 0
      s4 += weights[at + 4] ?? 0
      s5 += weights[at + 5] ?? 0
    }
    this.#sums.set([s0, s1, s2, s3, s4, s5])
  }

  #delta(head: number, sum: number, { labels, weight }: { labels: Int8Array; weight: number }): number {
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
    const { weights } = this
    const gradients = this.#gradients
    for (let head = 0; head < headCount; head += 1) {
      const delta = this.#deltas[head] ?? 0
      if (delta === 0) continue
      const squared = delta * delta
      for (let i = from; i < to; i += 1) {
        const at = (features[i] ?? 0) * headCount + head
        const sum = (gradients[at] ?? 0) + squared
        const weight = weights[at] ?? 0
        gradients[at] = sum
        weights[at] = weight - (rate * (delta + decay * weight)) / Math.sqrt(sum)
      }
    }
  }
}
