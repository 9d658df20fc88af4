/**
 * The street line of an address, found from its house number.
 * Promises to read at most 72 characters of the line on either side of the number. Tested in addresses.test.ts.
 */
import { isDigit, isWord } from '../../base/matcher.ts'
import { isLetter } from '../base/characters.ts'
import { numberFirst } from './number-first.ts'
import { streetFirst } from './street-first.ts'
import type { Street, Words } from './street-line.ts'

/** The street line around the number at `at`. */
export function streetAt(words: Words, at: number): Street | undefined {
  const end = numberEnd(words.text, at)
  if (end < 0) return undefined
  return numberFirst(words, at, end) ?? streetFirst(words, at, end)
}

const houseNumber =
  /\d{1,5}(?:[a-zA-Z](?![\p{L}\p{N}]))?(?: ?[-–/] ?\d{1,5}[a-zA-Z]?(?![\p{L}\p{N}]))?(?: ?1\/2)?(?: (?:bis|ter|quater)(?![\p{L}]))?/uy

const codesOf = (chars: string): ReadonlySet<number> => new Set([...chars].map((char) => char.charCodeAt(0)))
const joiners = codesOf('.:$€£#+-/@%=_')
const weakJoiners = codesOf('#/.:')

/** End of the house number at `at`, or -1 when the digits belong to something else. */
function numberEnd(text: string, at: number): number {
  const before = text.charCodeAt(at - 1)
  if (isWord(before) || joiners.has(before)) {
    if (!weakJoiners.has(before) || isDigit(text.charCodeAt(at - 2))) return -1
  }
  const end = writtenEnd(text, at)
  const after = text.charAt(end)
  if (end === at || isWord(text.charCodeAt(end)) || after === '%' || after === '°' || after === ':') return -1
  return decimals.has(text.charCodeAt(end)) && isDigit(text.charCodeAt(end + 1)) ? -1 : end
}

const decimals = codesOf('.,/-')
const mostDigits = 5
// First characters of a letter, a range, or of `1/2` and `bis` after a blank.
const rangeMarks = codesOf('-–/')
const afterBlank = codesOf('-–/1btq')

/** End of the digits and their suffix; the pattern is tried only where more can follow. */
function writtenEnd(text: string, at: number): number {
  let end = at
  while (end - at < mostDigits && isDigit(text.charCodeAt(end))) end += 1
  const next = text.charCodeAt(end)
  const goesOn = next === 32 ? afterBlank.has(text.charCodeAt(end + 1)) : isLetter(next) || rangeMarks.has(next)
  if (!goesOn || (next === 32 && text.charCodeAt(end + 1) === 49 && text.charCodeAt(end + 2) !== 47)) return end
  houseNumber.lastIndex = at
  return at + (houseNumber.exec(text)?.[0].length ?? 0)
}
