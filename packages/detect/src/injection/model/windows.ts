/**
 * Scores of a normalized text by the linear heads: of the whole, of its best window at each scale, of its best sentence.
 * Promises one pass over the text and constant time per window (prefix sums), in blocks of 64 Ki characters so that
 * scratch memory does not grow with the input. It does not calibrate. Tested in windows.test.ts.
 */
import { otherSums } from './head-sums.ts'
import { createMoments, type Moments } from './moments.ts'
import { createPeaks, type Peaks, type StandOut } from './peaks.ts'
import { createPlaces, type Place, type Places } from './places.ts'
import { block, fillPrefixSums, overlap, type Scratch } from './prefix-sums.ts'
import { rareSums, type Span, wholeWeight } from './rarity.ts'
import { eachPassage, eachSentence, sentenceEnds } from './spans.ts'
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

/** `logit` by rarity, `heads` as everywhere. */
export type RareScore = WindowScore & { readonly logit: number }

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
  /** The strongest evidence for an attack when features that the text repeats elsewhere count less. */
  readonly rare: { readonly sentence: RareScore; readonly passage: RareScore }
  /** The sentences that look most like an attack. */
  readonly places: readonly Place[]
  /** The sentence that looks most like a request, and how far it stands out, in standard deviations. */
  readonly request: { readonly best: number; readonly contrast: number }
  /** How far the worst sentence and the one most like a request stand out from other places of the text. */
  readonly standOut: {
    readonly attack: StandOut
    readonly request: StandOut
    readonly rareSentence: StandOut
    readonly rarePassage: StandOut
  }
  /** Number of windows looked at. */
  readonly windows: number
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

interface Part {
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

const sentence = 0
const passage = 1
type RareKind = typeof sentence | typeof passage

/** A span with its `attack` logit, by rarity as soon as all of a part are known. */
type Suspect = Span & { logit: number }

/** Spans below this `attack` logit are not weighed by rarity: of a hundred harmless sentences ninety-nine. */
const suspect = -1

class Tally {
  readonly #heads: ScoringHeads
  readonly #scratch: Scratch
  readonly #style: Moments = createMoments()
  readonly #requests: Moments = createMoments()
  /** By scale, then the best sentence, the rarest sentence and the rarest passage. */
  readonly #best: (RareScore | undefined)[] = []
  readonly #attackPeaks: Peaks = createPeaks()
  readonly #requestPeaks: Peaks = createPeaks()
  readonly #rarePeaks: readonly [Peaks, Peaks] = [createPeaks(), createPeaks()]
  readonly #places: Places = createPlaces()
  #wholeSum = 0
  #wholeCount = 0
  #windows = 0

  constructor(heads: ScoringHeads, scratch: Scratch) {
    this.#heads = heads
    this.#scratch = scratch
  }

  add(text: string, { lead, offset }: Part): void {
    this.#wholeSum += this.#sumOf(lead, text.length, 0)
    this.#wholeCount += this.#countOf(lead, text.length)
    const found = [...scales.map((size) => this.#scanScale(text.length, size)), ...this.#scanSentences(text, offset)]
    const better = found.filter(({ logit }, index) => logit > (this.#best[index]?.logit ?? Number.NEGATIVE_INFINITY))
    const logits = this.#allHeads(better)
    better.forEach((candidate, i) => {
      const range = { start: offset + candidate.start, end: offset + candidate.end }
      this.#best[found.indexOf(candidate)] = Object.assign(range, { heads: logits[i] ?? [], logit: candidate.logit })
    })
  }

  result(): TextScores {
    const whole = this.#logit(this.#wholeSum, this.#wholeCount, 0)
    const { biases } = this.#heads.linear
    const nothing: RareScore = { start: 0, end: 0, heads: biases, logit: biases[0] ?? 0 }
    const requests = this.#requests
    const [first = nothing] = this.#best
    const [best = first, rareSentence = best, rarePassage = rareSentence] = this.#best.slice(scales.length)
    return {
      whole,
      best: scales.map((_, index) => this.#best[index] ?? nothing),
      mean: this.#style.mean(),
      deviation: this.#style.deviation(),
      sentence: best,
      rare: { sentence: rareSentence, passage: rarePassage },
      places: this.#places.list(),
      request: {
        best: requests.most(),
        contrast: (requests.most() - requests.mean()) / (requests.deviation() + 0.5),
      },
      standOut: {
        attack: this.#attackPeaks.standOut(),
        request: this.#requestPeaks.standOut(),
        rareSentence: this.#rarePeaks[0].standOut(),
        rarePassage: this.#rarePeaks[1].standOut(),
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

  /** The best sentence, the rarest sentence and the rarest passage. */
  #scanSentences(text: string, offset: number): Candidate[] {
    const best = none()
    const suspects: [Suspect[], Suspect[]] = [[], []]
    // Rare features cannot make a suspect of a span that is none; its own logit stands for it among the places.
    const weigh = (kind: RareKind, start: number, end: number, logit: number): void => {
      if (logit >= suspect) suspects[kind].push({ start, end, logit })
      else this.#rarePeaks[kind].raise(offset + start, logit)
    }
    const ends = sentenceEnds(text)
    eachSentence(ends, (start, end) => {
      this.#windows += 1
      const request = this.#logitOf(start, end, 1)
      this.#requests.add(request)
      const logit = this.#logitOf(start, end, 0)
      this.#attackPeaks.raise(offset + start, logit)
      this.#requestPeaks.raise(offset + start, request)
      raise(best, start, end, logit)
      weigh(sentence, start, end, logit)
    })
    eachPassage(ends, (start, end) => weigh(passage, start, end, this.#logitOf(start, end, 0)))
    return [best, ...this.#rarest(suspects, text.length, offset)]
  }

  #rarest(suspects: readonly [Suspect[], Suspect[]], length: number, offset: number): [Candidate, Candidate] {
    const rarest: [Candidate, Candidate] = [none(), none()]
    const [sentences, passages] = suspects
    const spans = [...sentences, ...passages]
    if (spans.length === 0) return rarest
    const { features, rarity } = this.#scratch
    const sums = rareSums(spans, features, { length, heads: this.#heads, scratch: rarity })
    spans.forEach((span, i) => {
      const kind = i < sentences.length ? sentence : passage
      span.logit = this.#logit((sums[i] ?? 0) / wholeWeight, this.#countOf(span.start, span.end), 0)
      this.#rarePeaks[kind].raise(offset + span.start, span.logit)
      raise(rarest[kind], span.start, span.end, span.logit)
    })
    this.#places.add({ sentences, passages }, ({ start, end }) => this.#logitOf(start, end, 1), offset)
    return rarest
  }

  /** Logit of a scanned head (0 attack, 1 request) for the characters from `start` to `end`. */
  #logitOf(start: number, end: number, which: 0 | 1): number {
    return this.#logit(this.#sumOf(start, end, which), this.#countOf(start, end), scanned[which])
  }

  #sumOf(start: number, end: number, which: 0 | 1): number {
    const { sums, features } = this.#scratch
    const [from, to] = [features.until[start] ?? 0, features.until[end] ?? 0]
    return (sums[to * 2 + which] ?? 0) - (sums[from * 2 + which] ?? 0)
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
