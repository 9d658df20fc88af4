/**
 * Scores of a normalized text by the linear heads: of the whole, of its best window at each scale, of its best sentence.
 * Promises one pass over the text and constant time per window (prefix sums), in blocks of 64 Ki characters so that
 * scratch memory does not grow with the input. It does not calibrate. Tested in windows.test.ts.
 */
import { createFeatureBuffer, extractFeatures, type FeatureBuffer } from './features.ts'
import { otherSums } from './head-sums.ts'
import { createMoments, type Moments } from './moments.ts'
import { eachSentence, sentenceEnds } from './spans.ts'
import { type ScoringHeads, scanned } from './weights.ts'

/** Window sizes in characters of normalized text; a stride is a quarter of the size. */
export const scales = [160, 320, 800] as const

export interface WindowScore {
  /** Position in the normalized text. */
  readonly start: number
  readonly end: number
  /** Raw logit of each head; the window is the one with the highest `attack` logit. */
  readonly heads: readonly number[]
}

export interface TextScores {
  /** `attack` logit of the whole text. */
  readonly whole: number
  /** One per scale. A text shorter than a scale is one window. */
  readonly best: readonly WindowScore[]
  /** Mean and standard deviation of the `attack` logit over the windows of 320 characters: the text's own style. */
  readonly mean: number
  readonly deviation: number
  /** The sentence, or pair of sentences, with the highest `attack` logit: an attack between strange sentences. */
  readonly sentence: WindowScore
  /** The sentence that looks most like a request, and how far it stands out, in standard deviations. */
  readonly request: { readonly best: number; readonly contrast: number }
  /** Number of windows looked at. */
  readonly windows: number
}

const block = 65_536
const overlap = 1_024

/** Features and prefix sums of one block, reused from call to call. */
export interface Scratch {
  /** `[position * 2]` attack, `[position * 2 + 1]` request: sums of the weights before the position. */
  readonly sums: Int32Array
  readonly features: FeatureBuffer
}

/** Working memory for `scoreText`; one per detector, about 5 MB. */
export function createScratch(): Scratch {
  const size = block + overlap + 2
  return { sums: new Int32Array(size * 2), features: createFeatureBuffer(size) }
}

/** Scores a text; `scratch` is overwritten. */
export function scoreText(text: string, heads: ScoringHeads, scratch: Scratch): TextScores {
  const tally = new Tally(heads, scratch)
  for (let from = 0; from === 0 || from < text.length; from += block) {
    const lead = from === 0 ? 0 : overlap
    const part = text.length <= block ? text : text.slice(from - lead, from + block)
    fillPrefixSums(part, heads, scratch)
    tally.add(part, { lead, offset: from - lead })
  }
  return tally.result()
}

function fillPrefixSums(part: string, { pairs }: ScoringHeads, { sums, features }: Scratch): void {
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

interface Place {
  /** Characters at the beginning that the part before has counted already. */
  readonly lead: number
  /** Position of the part in the text. */
  readonly offset: number
}

/** A window of the current block that may become the best; its other heads are summed when the block is done. */
interface Candidate {
  start: number
  end: number
  logit: number
}

const none = (): Candidate => ({ start: 0, end: 0, logit: Number.NEGATIVE_INFINITY })

/** Makes a window the candidate if it beats it. */
function raise(best: Candidate, start: number, end: number, logit: number): void {
  if (!(logit > best.logit)) return
  best.start = start
  best.end = end
  best.logit = logit
}

class Tally {
  readonly #heads: ScoringHeads
  readonly #scratch: Scratch
  readonly #style: Moments = createMoments()
  readonly #requests: Moments = createMoments()
  /** By scale, and last that of the sentences. */
  readonly #best: (WindowScore | undefined)[] = [...scales.map(() => undefined), undefined]
  #wholeSum = 0
  #wholeCount = 0
  #windows = 0

  constructor(heads: ScoringHeads, scratch: Scratch) {
    this.#heads = heads
    this.#scratch = scratch
  }

  add(text: string, { lead, offset }: Place): void {
    const { sums, features } = this.#scratch
    this.#wholeSum += (sums[text.length * 2] ?? 0) - (sums[lead * 2] ?? 0)
    this.#wholeCount += (features.until[text.length] ?? 0) - (features.until[lead] ?? 0)
    const found = [...scales.map((size) => this.#scanScale(text.length, size)), this.#scanSentences(text)]
    const better = found.filter(({ logit }, index) => logit > (this.#best[index]?.heads[0] ?? Number.NEGATIVE_INFINITY))
    const logits = this.#allHeads(better)
    better.forEach((candidate, i) => {
      const range = { start: offset + candidate.start, end: offset + candidate.end }
      this.#best[found.indexOf(candidate)] = { ...range, heads: logits[i] ?? [] }
    })
  }

  result(): TextScores {
    const whole = this.#logit(this.#wholeSum, this.#wholeCount, 0)
    const nothing: WindowScore = { start: 0, end: 0, heads: this.#heads.linear.biases }
    const requests = this.#requests
    const sentence = this.#best[scales.length]
    return {
      whole,
      best: scales.map((_, index) => this.#best[index] ?? nothing),
      mean: this.#style.mean(),
      deviation: this.#style.deviation(),
      sentence: sentence ?? this.#best[0] ?? nothing,
      request: {
        best: requests.most(),
        contrast: (requests.most() - requests.mean()) / (requests.deviation() + 0.5),
      },
      windows: this.#windows,
    }
  }

  #scanScale(length: number, size: number): Candidate {
    const best = none()
    const last = Math.max(0, length - size)
    for (let at = 0; ; at += size >> 2) {
      const start = Math.min(at, last)
      const end = Math.min(length, start + size)
      const logit = this.#logitOf(start, end, 0)
      this.#windows += 1
      if (size === scales[1]) this.#style.add(logit)
      raise(best, start, end, logit)
      if (at >= last) return best
    }
  }

  #scanSentences(text: string): Candidate {
    const best = none()
    eachSentence(sentenceEnds(text), (start, end) => {
      this.#windows += 1
      this.#requests.add(this.#logitOf(start, end, 1))
      const logit = this.#logitOf(start, end, 0)
      raise(best, start, end, logit)
    })
    return best
  }

  /** Logit of a scanned head (0 attack, 1 request) for the characters from `start` to `end`. */
  #logitOf(start: number, end: number, which: 0 | 1): number {
    return this.#logit(this.#sumOf(start, end, which), this.#countOf(start, end), scanned[which])
  }

  #sumOf(start: number, end: number, which: 0 | 1): number {
    const { sums } = this.#scratch
    return (sums[end * 2 + which] ?? 0) - (sums[start * 2 + which] ?? 0)
  }

  #countOf(start: number, end: number): number {
    const { until } = this.#scratch.features
    return (until[end] ?? 0) - (until[start] ?? 0)
  }

  /** Features are scaled to unit length as if each occurred once: `w·x / √n + b`. */
  #logit(sum: number, count: number, head: number): number {
    const { scales: steps, biases } = this.#heads.linear
    return (count === 0 ? 0 : (sum * (steps[head] ?? 0)) / Math.sqrt(count)) + (biases[head] ?? 0)
  }

  /** Logits of all heads for some windows of the current block. */
  #allHeads(windows: readonly Candidate[]): number[][] {
    const { until, buckets } = this.#scratch.features
    const ranges = windows.map(({ start, end }) => ({ from: until[start] ?? 0, to: until[end] ?? 0 }))
    return otherSums(ranges, buckets, this.#heads).map((others, i) => {
      const { start, end } = windows[i] ?? none()
      const sums = [this.#sumOf(start, end, 0), ...others, this.#sumOf(start, end, 1)]
      return sums.map((sum, head) => this.#logit(sum, this.#countOf(start, end), head))
    })
  }
}
