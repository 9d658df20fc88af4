/**
 * Letters of every script by Unicode class, asked by code unit.
 * Promises the answers of `\p{Lu}`, `\p{L}`, `\p{M}` and `\s` for a unit that stands alone, each class looked up once; halves
 * of surrogate pairs are no letters here. Tested in letters.test.ts.
 */

const known = new Uint8Array(0x10000)
const bit = { asked: 1, upper: 2, letter: 4, mark: 8 } as const

function classesOf(code: number): number {
  const classes = known[code] ?? bit.asked
  if (classes !== 0) return classes
  const char = String.fromCharCode(code)
  const found =
    bit.asked |
    (/\p{Lu}/u.test(char) ? bit.upper : 0) |
    (/\p{L}/u.test(char) ? bit.letter : 0) |
    (/\p{M}/u.test(char) ? bit.mark : 0)
  known[code] = found
  return found
}

export const isUpper = (code: number): boolean => (classesOf(code) & bit.upper) !== 0

export const isAnyLetter = (code: number): boolean => (classesOf(code) & bit.letter) !== 0

export const isMark = (code: number): boolean => (classesOf(code) & bit.mark) !== 0

export const isHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdfff

const upperStart = /^\p{Lu}/u

/** Whether a word begins with a capital, also one outside the basic plane. */
export function startsUpper(word: string): boolean {
  const code = word.charCodeAt(0)
  return isHalf(code) ? upperStart.test(word) : isUpper(code)
}

/**
 * Where a class of characters first stands at or after a place; the end of the text where it does not. The engine's own
 * search is many times faster than asking for every unit, and most texts hold no letter of most scripts.
 */
export function firstOf(characters: RegExp, text: string, from: number): number {
  characters.lastIndex = from
  return characters.test(text) ? characters.lastIndex - 1 : text.length
}

/** Characters that `\s` matches. */
export const isWhite = (code: number): boolean =>
  code < 0xa0 ? code === 32 || (code >= 9 && code <= 13) : code < 0x10000 && blanks.has(code)

const blanks = new Set([
  ...[0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a],
  ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff],
])
