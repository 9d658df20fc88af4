/**
 * Trains the linear heads by stochastic gradient descent on the logistic loss.
 * Long texts are learned by windows: of a harmless text the window that looks worst, because every window of it is
 * harmless; of an attack the window that looks worst too, because that is where the attack probably stands (multiple
 * instance learning: Andrews, Tsochantaridis and Hofmann, 2002).
 */
import { headCount, type LinearHeads, quantize } from '../src/injection/model/weights.ts'
import { scales } from '../src/injection/model/windows.ts'
import type { Range } from '../src/injection/sentences.ts'
import { Descent, type DescentSettings, settled } from './descent.ts'
import { indexAt, shortText, type TextFeatures, wholeText } from './instances.ts'
import { createRandom, type Random } from './rows/random.ts'
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

export interface LinearSettings extends DescentSettings {
  readonly epochs: number
  readonly seed: number
}

export const linearSettings: LinearSettings = { epochs: 5, rate: 0.25, decay: 2e-6, seed: 20261121 }

/** Learns all heads at once; the same examples and settings give the same weights. */
export function trainLinear(examples: readonly Example[], settings: LinearSettings = linearSettings): LinearHeads {
  const descent = new Descent(settings)
  const learner = new Learner(descent)
  const random = createRandom(settings.seed)
  const order = examples.map((_, i) => i)
  const errors = new Float32Array(examples.length).fill(1)
  const half = examples.length >> 1
  for (let epoch = 0; epoch < settings.epochs; epoch += 1) {
    shuffle(order, random)
    order.forEach((index, turn) => {
      const example = examples[index]
      // A text that is settled is looked at in one epoch of four from then on: most are after two epochs.
      const rests = (errors[index] ?? 1) < settled && (index + epoch) % 4 !== 0
      if (example !== undefined && !rests) errors[index] = learner.learn(example, epoch, random)
      if (epoch >= averagedFrom && (turn === half || turn === order.length - 1)) descent.remember()
    })
  }
  return quantize(...descent.average())
}

function shuffle(items: number[], random: Random): void {
  for (let i = items.length - 1; i > 0; i -= 1) {
    const j = random.below(i + 1)
    const [a, b] = [items[i] ?? 0, items[j] ?? 0]
    items[i] = b
    items[j] = a
  }
}

// Weights are the mean of what was learned by the middle and the end of each epoch from this one on: the last rows of an
// epoch weigh no more than others (averaging: Polyak and Juditsky, 1992).
const averagedFrom = 2

const noLabels = new Int8Array(headCount)

/** Sentences of a harmless text that are learned: what matters later is the worst of all sentences of a long document. */
const sentencesIn = ({ length }: TextFeatures): number => (length > 2_000 ? 4 : length > shortText ? 2 : 1)

class Learner {
  readonly #descent: Descent
  readonly #search: Search
  #error = 0

  constructor(descent: Descent) {
    this.#descent = descent
    this.#search = new Search(descent.cells, descent.biases)
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
    const isShort = view.length <= shortText
    const size = isShort ? 0 : random.pick(scales)
    // All places are sought before anything is learned of one: the search reads the whole text, the steps little of it.
    const sums = quotes || view.length <= wholeText ? null : this.#search.sums(view)
    const worst = sums === null ? [] : this.#search.sentences(view, sums, sentencesIn(view))
    const window = sums === null || isShort ? null : this.#search.window(view, sums, size)
    for (const slice of worst) this.#step(view, slice, { labels, weight: weight * 0.7 })
    this.#step(view, all, { labels, weight: isShort ? weight : weight * 0.6 })
    if (isShort) return
    if (window !== null) this.#step(view, window, { labels, weight })
    const start = random.below(Math.max(1, view.length - size))
    const anywhere = { from: indexAt(view, start), to: indexAt(view, start + size) }
    this.#step(view, anywhere, { labels, weight: weight * 0.5 })
  }

  #learnAttack(
    view: TextFeatures,
    { labels, weight, random, epoch }: { labels: Int8Array; weight: number; random: Random; epoch: number },
  ): void {
    const all = { from: 0, to: view.buckets.length }
    const isShort = view.length <= shortText
    const sums = epoch === 0 || view.length <= wholeText ? null : this.#search.sums(view)
    const sentence = sums === null ? null : this.#search.sentence(view, sums)
    const window = sums === null || isShort ? null : this.#search.window(view, sums, random.pick([320, 800]))
    if (sentence !== null) this.#step(view, sentence, { labels, weight: weight * 0.4 })
    this.#step(view, all, { labels, weight: isShort ? weight : weight * (view.length > 2_500 ? 0.15 : 0.6) })
    if (window !== null) this.#step(view, window, { labels, weight: weight * 0.7 })
  }

  /** An attack in a carrier: only windows around it are an attack, the others are as harmless as any document. */
  #learnPlanted(
    view: TextFeatures,
    planted: 'somewhere' | Range,
    { labels, weight, random, epoch }: { labels: Int8Array; weight: number; random: Random; epoch: number },
  ): void {
    if (planted === 'somewhere') {
      const sums = this.#search.sums(view)
      const slice = random.chance(0.5)
        ? this.#search.sentence(view, sums)
        : this.#search.window(view, sums, random.pick([160, 320]))
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

  #step({ buckets: features }: TextFeatures, slice: Slice, target: { labels: Int8Array; weight: number }): void {
    this.#error = Math.max(this.#error, this.#descent.step(features, slice, target))
  }
}
