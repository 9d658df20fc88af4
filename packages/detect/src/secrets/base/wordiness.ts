/**
 * How much a short value looks like words rather than like the output of a random generator.
 * Promises time linear in the value; knows letter pairs of Latin script, no dictionary. Tested in values.test.ts.
 */
import { bigramCosts } from '../../text/language/bigrams.ts'

const rowSize = 27

const pairCosts = Uint8Array.from(bigramCosts, (digit) => Number.parseInt(digit, 36))

/** Figures of a value; letters count without regard to case. */
export interface Texture {
  readonly lower: number
  readonly upper: number
  readonly digits: number
  readonly symbols: number
  /** Different characters. */
  readonly distinct: number
  /** Mean cost of a letter after another inside words: about 6 for prose, 12 for random letters; 0 without pairs. */
  readonly pairCost: number
  /** Share of neighbors of different kind (lower, upper, digit, symbol), a capital before its small letter aside. */
  readonly changes: number
}

// Kinds of characters.
const lowerKind = 0
const upperKind = 1
const digitKind = 2
const symbolKind = 3

/** Reads the figures of a value in one pass. */
export function textureOf(value: string): Texture {
  const counts = [0, 0, 0, 0]
  let [changes, cost, pairs] = [0, 0, 0]
  let before = symbolKind
  let letterBefore = 0
  for (let i = 0; i < value.length; i += 1) {
    const code = value.charCodeAt(i)
    const kind = kindOf(code)
    counts[kind] = (counts[kind] ?? 0) + 1
    if (i > 0 && kind !== before && !(before === upperKind && kind === lowerKind)) changes += 1
    const letter = letterOf(code)
    if (letter > 0 && letterBefore > 0 && !(before === lowerKind && kind === upperKind)) {
      cost += pairCosts[letterBefore * rowSize + letter] ?? 0
      pairs += 1
    }
    letterBefore = letter
    before = kind
  }
  return {
    lower: counts[lowerKind] ?? 0,
    upper: counts[upperKind] ?? 0,
    digits: counts[digitKind] ?? 0,
    symbols: counts[symbolKind] ?? 0,
    distinct: distinctUnits(value),
    pairCost: pairs === 0 ? 0 : cost / pairs,
    changes: value.length < 2 ? 0 : changes / (value.length - 1),
  }
}

/** Different UTF-16 units; ASCII without a set, which would cost more than the rest of a judgment. */
export function distinctUnits(value: string): number {
  const bits = [0, 0, 0, 0]
  for (let i = 0; i < value.length; i += 1) {
    const code = value.charCodeAt(i)
    if (code >= 128) return new Set(value.split('')).size
    bits[code >> 5] = (bits[code >> 5] ?? 0) | (1 << (code & 31))
  }
  let count = 0
  for (const word of bits) for (let rest = word; rest !== 0; rest &= rest - 1) count += 1
  return count
}

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return lowerKind
  if (code >= 65 && code <= 90) return upperKind
  return code >= 48 && code <= 57 ? digitKind : symbolKind
}

/** 1..26 for ASCII letters, 0 for the rest. */
function letterOf(code: number): number {
  const lower = code | 32
  return lower >= 97 && lower <= 122 ? lower - 96 : 0
}

// Prose and identifiers stay below 8.5 on average, random letters of a dozen pairs above 9.5.
const wordyCost = 8.5
const randomCost = 9.6

/** Words, an identifier, a slug: few digits, few changes of kind and letters that follow each other as in words. */
export function isWordy(value: string, texture: Texture = textureOf(value)): boolean {
  const { lower, upper, digits, changes, pairCost } = texture
  const letters = lower + upper
  if (letters < 4) return false
  return digits / value.length <= 0.2 && changes < 0.4 && pairCost < wordyCost && !isCaseNoise(texture)
}

/** Characters that no person would have chosen: kinds that alternate, or letters that do not follow each other. */
export function looksRandom(value: string, texture: Texture = textureOf(value)): boolean {
  const { lower, upper, digits, symbols, distinct, pairCost, changes } = texture
  if (distinct < Math.min(8, value.length * 0.5)) return false
  const kinds = Number(lower > 0) + Number(upper > 0) + Number(digits > 0)
  if (kinds === 1 && symbols === 0) return lower + upper >= 16 && pairCost >= randomCost
  if (changes >= 0.34 && kinds >= 2 && digits + symbols > 0) return true
  return lower + upper >= 6 && (pairCost >= randomCost || (changes >= 0.2 && pairCost >= wordyCost))
}

/** Capitals in the middle of words, as in random text but not in camelCase. */
const isCaseNoise = ({ lower, upper }: Texture): boolean => upper > 0 && lower > 0 && upper / (upper + lower) > 0.38
