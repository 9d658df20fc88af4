/**
 * Which words at the end of a text may be the beginning of a passage of a system prompt. Promises that of a passage
 * no more than the first word is let go, and that ordinary text is held for a word or two. Tested in prompt-hold.test.ts.
 */
import { createGramBits, eachGram, type GramBits } from '../grams/gram-index.ts'

const factor = 0x01000193

export interface PromptRun {
  /** Takes the next word of the text. */
  add(word: number, start: number): void
  /** Where the words begin that end the text and stand in the same order in the prompt; -1 for fewer than two. */
  start(): number
}

/** Follows the last words of a text, up to one less than a shingle: from there on it is a passage. */
export function followRun(words: ArrayLike<number>, shingle: number): PromptRun {
  const most = Math.max(1, shingle - 1)
  const known = runsOf(words, most)
  let hashes: number[] = []
  let starts: number[] = []
  return {
    add: (word, start) => {
      hashes.push(word)
      starts.push(start)
      // A run that ends here can be one word longer than the run that ended before, and no more.
      const from = Math.max(0, hashes.length - most)
      const first = firstKnown(hashes, from, known)
      hashes = hashes.slice(first)
      starts = starts.slice(first)
    },
    start: () => (starts.length < 2 ? -1 : (starts[0] ?? -1)),
  }
}

/** The first place from which the words to the end are a run of the prompt; the length when there is none. */
function firstKnown(hashes: readonly number[], from: number, known: GramBits): number {
  let hash = 0
  let power = 1
  let first = hashes.length
  // From the last word backwards: a run of the prompt ends with shorter runs of it.
  for (let at = hashes.length - 1; at >= from; at -= 1) {
    hash = (Math.imul((hashes[at] ?? 0) + 1, power) + hash) | 0
    power = Math.imul(power, factor)
    if (!known.has(keyOf(hash, hashes.length - at))) break
    first = at
  }
  return first
}

/** All runs of 1 to `most` words. */
function runsOf(words: ArrayLike<number>, most: number): GramBits {
  const bits = createGramBits(18)
  const { length } = words
  for (let size = 1; size <= Math.min(most, length); size += 1)
    eachGram(words, { length, size }, (hash) => bits.add(keyOf(hash, size)))
  return bits
}

const keyOf = (hash: number, size: number): number => (hash + Math.imul(size, 0x9e3779b9)) | 0
