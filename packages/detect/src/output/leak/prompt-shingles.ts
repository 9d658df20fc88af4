/**
 * A system prompt as sets of hashed shingles: runs of 8 words, and runs of 24 letters for scripts without spaces and
 * for text whose order or layout was changed. Shingles that the conversation holds as well do not count: repeating
 * them leaks nothing. Tested in prompt-leak.test.ts.
 */
import { createGramBits, eachGram } from '../grams/gram-index.ts'
import { squeeze } from '../grams/squeeze.ts'
import { eachWord } from '../grams/words.ts'

export interface ShingleSet {
  /** Units in a shingle. */
  readonly size: number
  /** Where in the prompt a shingle begins, in units, by its hash. Reads the conversation when it is first asked for. */
  readonly numbers: ReadonlyMap<number, number>
  /** Whether the prompt has the shingle, even if the conversation has it too. */
  readonly holds: (hash: number) => boolean
  /** Units of the prompt. */
  readonly length: number
}

export interface PromptShingles {
  readonly words: ShingleSet
  /** The prompt word for word, as hashes. */
  readonly wordHashes: readonly number[]
  /** Characters of its longest word. */
  readonly longestWord: number
  readonly letters: ShingleSet
}

const wordShingle = 8
const letterShingle = 24
// A Han character says about as much as half a word.
const denseShingle = 12
const minWords = 4
const minLetters = 12

/** Hashes a prompt; undefined when it is too short to be told from everyday text (under 4 words or 12 letters). */
export function shinglePrompt(prompt: string, conversation = ''): PromptShingles | undefined {
  const { hashes: words, longest: longestWord } = wordsOf(prompt)
  const letters = letterUnits(prompt)
  const isDense = denseShare(letters) > 0.3
  if (letters.length < (isDense ? minLetters / 2 : minLetters) || (words.length < minWords && !isDense))
    return undefined
  const wordSize = Math.max(minWords, Math.min(wordShingle, words.length))
  const letterSize = Math.min(isDense ? denseShingle : letterShingle, letters.length)
  const said = conversation === '' ? undefined : conversation
  return {
    words: createSet(words, wordSize, () => (said === undefined ? [] : wordsOf(said).hashes)),
    wordHashes: words,
    longestWord,
    letters: createSet(letters, letterSize, () => (said === undefined ? [] : letterUnits(said))),
  }
}

/**
 * The conversation is only passed through, and only for an answer that has a shingle of the prompt: it may be a hundred
 * times as long as the prompt, and comes again with every turn.
 */
function createSet(units: ArrayLike<number>, size: number, excluded: () => ArrayLike<number>): ShingleSet {
  const all = new Map<number, number>()
  const bits = createGramBits(16)
  eachGram(units, { length: units.length, size }, (hash, end) => {
    if (all.has(hash)) return
    all.set(hash, end - size)
    bits.add(hash)
  })
  let numbers: Map<number, number> | null = null
  const counted = (): Map<number, number> => {
    const left = new Map(all)
    const said = excluded()
    eachGram(said, { length: said.length, size }, (hash) => {
      if (bits.has(hash)) left.delete(hash)
    })
    return left
  }
  return {
    size,
    length: units.length,
    holds: (hash) => bits.has(hash) && all.has(hash),
    get numbers() {
      numbers ??= counted()
      return numbers
    },
  }
}

function wordsOf(text: string): { readonly hashes: number[]; readonly longest: number } {
  const hashes: number[] = []
  let longest = 0
  eachWord(text, (hash, start, end) => {
    hashes.push(hash)
    longest = Math.max(longest, end - start)
  })
  return { hashes, longest }
}

function letterUnits(text: string): Uint16Array {
  const { units, length } = squeeze(text, { allScripts: true, offset: 0 })
  return units.subarray(0, length)
}

/** Share of letters from scripts that are written without spaces. */
function denseShare(units: Uint16Array): number {
  let dense = 0
  for (const unit of units) if (unit >= 0xe00 && (unit < 0x1100 || unit >= 0x1780)) dense += 1
  return units.length === 0 ? 0 : dense / units.length
}

/** Where in the prompt the shingle begins, in units, or -1. */
export const shingleNumber = (set: ShingleSet, hash: number): number =>
  set.holds(hash) ? (set.numbers.get(hash) ?? -1) : -1
