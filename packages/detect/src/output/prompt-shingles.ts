/**
 * A system prompt as sets of hashed shingles: runs of 8 words, and runs of 24 letters for scripts without spaces and
 * for text whose order or layout was changed. Shingles that the conversation holds as well do not count: whoever has
 * them cannot be told them. Tested in prompt-leak.test.ts.
 */
import { createGramBits, eachGram, type GramBits } from './gram-index.ts'
import { squeeze } from './squeeze.ts'
import { eachWord } from './words.ts'

export interface ShingleSet {
  /** Units in a shingle. */
  readonly size: number
  /** Where in the prompt a shingle begins, in units, by its hash. */
  readonly numbers: ReadonlyMap<number, number>
  /** Units of the prompt. */
  readonly length: number
  readonly bits: GramBits
}

export interface PromptShingles {
  readonly words: ShingleSet
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
  const words = wordHashes(prompt)
  const letters = letterUnits(prompt)
  const isDense = denseShare(letters) > 0.3
  if (letters.length < (isDense ? minLetters / 2 : minLetters) || (words.length < minWords && !isDense))
    return undefined
  const wordSize = Math.max(minWords, Math.min(wordShingle, words.length))
  const letterSize = Math.min(isDense ? denseShingle : letterShingle, letters.length)
  const said = conversation === '' ? undefined : conversation
  return {
    words: createSet(words, wordSize, said === undefined ? [] : wordHashes(said)),
    letters: createSet(letters, letterSize, said === undefined ? [] : letterUnits(said)),
  }
}

function createSet(units: ArrayLike<number>, size: number, excluded: ArrayLike<number>): ShingleSet {
  const known = new Set<number>()
  eachGram(excluded, { length: excluded.length, size }, (hash) => known.add(hash))
  const numbers = new Map<number, number>()
  const bits = createGramBits(16)
  eachGram(units, { length: units.length, size }, (hash, end) => {
    if (known.has(hash) || numbers.has(hash)) return
    numbers.set(hash, end - size)
    bits.add(hash)
  })
  return { size, numbers, length: units.length, bits }
}

function wordHashes(text: string): number[] {
  const hashes: number[] = []
  eachWord(text, (hash) => hashes.push(hash))
  return hashes
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
export const shingleNumber = ({ bits, numbers }: ShingleSet, hash: number): number =>
  bits.has(hash) ? (numbers.get(hash) ?? -1) : -1
