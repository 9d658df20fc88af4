/** Passages of a system prompt in the words of a text, given piece by piece. Tested in prompt-leak.test.ts. */
import type { Finding } from '../../base/finding.ts'
import { feedWords, noWord } from '../grams/words.ts'
import { type Cover, createCover, leakFinding } from './prompt-cover.ts'
import { followRun } from './prompt-hold.ts'
import { type PromptShingles, type ShingleSet, shingleNumber } from './prompt-shingles.ts'

const factor = 0x01000193
const sentenceWords = 12
const passageWords = 25

interface Passage {
  start: number
  end: number
  words: number
}

export interface WordTracker {
  feed(piece: string, offset: number): Finding[]
  end(length: number): Finding[]
  coverage(): number
  longest(): number
  reported(): boolean
  /** Where the text begins that may turn out to be a passage of the prompt; infinite when there is none. */
  heldFrom(end: number): number
}

export interface WordTracking {
  /** Whether `heldFrom` is asked. */
  readonly holds: boolean
}

/** Follows passages of the prompt through the words of a text. */
export function trackWords(prompt: PromptShingles, { holds }: WordTracking): WordTracker {
  const { words: set, wordHashes, longestWord } = prompt
  const open = noWord()
  const cover = createCover(set)
  const window = createWordWindow(set.size)
  const passages = createPassages(set, cover)
  const run = holds ? followRun(wordHashes, set.size) : undefined
  const visit = (word: number, start: number, end: number): void => {
    run?.add(word, start)
    const begun = window.add(word, start)
    if (begun < 0) return
    const number = shingleNumber(set, window.hash())
    if (number >= 0) {
      cover.add(number)
      passages.grow(begun, end)
    } else passages.close()
  }
  return {
    feed: (piece, offset) => {
      feedWords(piece, { offset, open }, visit)
      return passages.drain()
    },
    end: (length) => {
      if (open.start >= 0) visit(open.hash, open.start, length)
      passages.close()
      return passages.drain()
    },
    coverage: cover.share,
    longest: passages.longest,
    reported: passages.reported,
    heldFrom: (end) => {
      const passage = passages.open()
      if (passage !== undefined) return passage
      // A word that is longer than all of the prompt's ends every run.
      if (run === undefined || (open.start >= 0 && end - open.start > longestWord)) return Number.POSITIVE_INFINITY
      const begun = run.start()
      if (begun >= 0) return begun
      return open.start >= 0 ? open.start : Number.POSITIVE_INFINITY
    },
  }
}

interface WordWindow {
  /** Takes the next word; the start of the first word in the window, or -1 while it is not full. */
  add(word: number, start: number): number
  hash(): number
}

/** Rolling hash of the last `size` words. */
function createWordWindow(size: number): WordWindow {
  const hashes = new Int32Array(size)
  const starts = new Int32Array(size)
  const power = powerOf(size)
  let [count, hash] = [0, 0]
  return {
    add: (word, start) => {
      const slot = count % size
      hash = (Math.imul(hash, factor) + word + 1) | 0
      if (count >= size) hash = (hash - Math.imul((hashes[slot] ?? 0) + 1, power)) | 0
      hashes[slot] = word
      starts[slot] = start
      count += 1
      return count < size ? -1 : (starts[count % size] ?? start)
    },
    hash: () => hash,
  }
}

interface Passages {
  /** A shingle of the prompt begins at `start` and ends at `end`. */
  grow(start: number, end: number): void
  close(): void
  /** Findings since the last call. */
  drain(): Finding[]
  longest(): number
  reported(): boolean
  /** Where the passage begins that goes on; infinite for one that was reported, undefined for none. */
  open(): number | undefined
}

/** Joins shingles that follow each other and reports each passage once: when it ends or reaches `passageWords`. */
function createPassages(set: ShingleSet, cover: Cover): Passages {
  let [longest, reported, alerted] = [0, false, false]
  let passage: Passage | undefined
  let found: Finding[] = []
  const report = ({ start, end, words }: Passage): void => {
    reported = true
    found.push(passageFinding({ start, end, words, whole: set.numbers.size === 1, coverage: cover.share() }))
  }
  return {
    grow: (start, end) => {
      passage = passage ? { ...passage, end, words: passage.words + 1 } : { start, end, words: set.size }
      longest = Math.max(longest, passage.end - passage.start)
      if (passage.words !== passageWords) return
      report(passage)
      alerted = true
    },
    close: () => {
      if (passage && !alerted) report(passage)
      passage = undefined
      alerted = false
    },
    drain: () => {
      const drained = found
      found = []
      return drained
    },
    longest: () => longest,
    reported: () => reported,
    open: () => (passage && alerted ? Number.POSITIVE_INFINITY : passage?.start),
  }
}

function powerOf(size: number): number {
  let power = 1
  for (let i = 0; i < size; i += 1) power = Math.imul(power, factor)
  return power
}

interface PassageFacts extends Passage {
  /** The prompt is no longer than one shingle. */
  readonly whole: boolean
  readonly coverage: number
}

/** 8 words in common may be a phrase the prompt wants said; 12 are a sentence of it; 25 cannot be chance. */
function passageFinding({ start, end, words, whole, coverage }: PassageFacts): Finding {
  const isPassage = words >= passageWords || coverage >= 0.6
  const rule = isPassage ? 'prompt-passage' : words >= sentenceWords || whole ? 'prompt-sentence' : 'prompt-phrase'
  const score = isPassage ? 0.98 : rule === 'prompt-sentence' ? 0.8 : 0.5
  return leakFinding({ start, end, rule, score, evidence: `${words} words in a row from the system prompt` })
}
