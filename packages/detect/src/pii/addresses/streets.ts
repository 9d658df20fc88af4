/**
 * The street line of an address, found from its house number.
 * Promises to read at most 72 characters of the line on either side of the number. Tested in addresses.test.ts.
 */
import { isDigit, isWord } from '../../matcher.ts'
import { numberFirst } from './number-first.ts'
import { streetFirst } from './street-first.ts'
import type { Street } from './street-line.ts'

/** The street line around the number at `at`. */
export function streetAt(text: string, at: number): Street | undefined {
  const end = numberEnd(text, at)
  if (end < 0) return undefined
  return numberFirst(text, at, end) ?? streetFirst(text, at, end)
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
  houseNumber.lastIndex = at
  const end = at + (houseNumber.exec(text)?.[0].length ?? 0)
  const after = text.charAt(end)
  if (end === at || isWord(text.charCodeAt(end)) || after === '%' || after === '°' || after === ':') return -1
  return /^[.,/-]\d/.test(text.slice(end, end + 2)) ? -1 : end
}
