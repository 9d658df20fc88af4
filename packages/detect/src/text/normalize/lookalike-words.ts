import { isLineEnd, isWordUnit } from '../alphabet/characters.ts'
import type { Tape } from '../view/tape.ts'

/** How a word is written, for deciding whether its look-alike letters are a disguise. */
type Script = 'latin' | 'mixed' | 'lookalike' | 'rare' | 'foreign' | 'none'

interface Word {
  readonly start: number
  readonly end: number
  readonly script: Script
  readonly letters: number
}

/**
 * Replaces look-alike letters by the Latin ones: in words that also hold a Latin letter or letters of two other scripts,
 * and in words made of look-alikes alone when their sentence is Latin for the most part. Pure Cyrillic or Greek text
 * stays. Returns how many words were folded. `disguises` holds the quality of each unit's disguise.
 */
export function foldLookalikes(tape: Tape, disguises: Uint8Array): number {
  let folded = 0
  let sentence: Word[] = []
  for (let i = 0; i <= tape.length; ) {
    const unit = i < tape.length ? (tape.units[i] ?? 0) : 10
    if (isWordUnit(unit)) {
      const word = wordAt(tape, disguises, i)
      if (word.script !== 'none') sentence.push(word)
      i = word.end
      continue
    }
    if (endsSentence(unit)) {
      folded += foldSentence(tape, sentence)
      sentence = []
    }
    i += 1
  }
  return folded
}

const endsSentence = (unit: number): boolean =>
  isLineEnd(unit) || unit === 46 || unit === 33 || unit === 63 || unit === 59 || unit === 58

function wordAt({ units, looks, length }: Tape, disguises: Uint8Array, start: number): Word {
  const seen = { latin: 0, near: 0, exact: 0, rare: 0, foreign: 0, scripts: 0 }
  let end = start
  for (; end < length; end += 1) {
    const unit = units[end] ?? 0
    if (!isWordUnit(unit)) break
    const disguise = looks[end] === 0 ? 0 : (disguises[end] ?? 0)
    if (disguise > 0) seen.scripts |= scriptBit(unit)
    if (unit >= 97 && unit <= 122) seen.latin += 1
    else if (disguise === 3) seen.rare += 1
    else if (disguise === 2) seen.exact += 1
    else if (disguise === 1) seen.near += 1
    else if (unit >= 0x80) seen.foreign += 1
  }
  const others = seen.near + seen.exact + seen.rare
  return { start, end, script: scriptOf(seen), letters: seen.latin + others + seen.foreign }
}

/** Greek, Cyrillic, Armenian, all others. */
const scriptBit = (unit: number): number => (unit < 0x400 ? 1 : unit < 0x530 ? 2 : unit < 0x590 ? 4 : 8)

interface Letters {
  readonly latin: number
  readonly near: number
  readonly exact: number
  readonly rare: number
  readonly foreign: number
  /** Bits of the scripts that the look-alikes come from. */
  readonly scripts: number
}

function scriptOf(seen: Letters): Script {
  const looks = seen.near + seen.exact + seen.rare
  if (looks === 0) return seen.foreign > 0 ? 'foreign' : seen.latin > 0 ? 'latin' : 'none'
  const isOneScript = (seen.scripts & (seen.scripts - 1)) === 0
  if (seen.latin > 0 || !isOneScript) return 'mixed'
  if (seen.foreign > 0 || seen.near > 0) return 'foreign'
  return seen.rare > 0 ? 'rare' : 'lookalike'
}

// A few words of another script in a Latin sentence do not make it theirs.
const minLatin = 3

// Four short words of one alphabet that all happen to look Latin, letter by letter, are no accident.
const minWords = 4

function foldSentence(tape: Tape, words: readonly Word[]): number {
  const count = (script: Script): number => words.reduce((sum, word) => sum + (word.script === script ? 1 : 0), 0)
  const foreign = count('foreign')
  const latin = count('latin') + count('mixed') + count('rare')
  const alone = latin > 0 ? latin >= foreign * minLatin : foreign === 0 && count('lookalike') >= minWords
  let folded = 0
  for (const word of words) {
    const disguised = word.script === 'mixed' || word.script === 'rare' || (word.script === 'lookalike' && alone)
    if (!disguised) continue
    for (let i = word.start; i < word.end; i += 1) if (tape.looks[i]) tape.units[i] = tape.looks[i] ?? 0
    folded += 1
  }
  return folded
}
