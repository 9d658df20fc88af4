/**
 * Postal addresses without a model: a house number beside a street word, then unit, city, state and postal code.
 * Promises linear time and addresses of at most 160 characters on up to four lines; a place without a house number or
 * a box number is not an address. Tested in addresses.test.ts.
 */
import type { Finding } from '../../base/finding.ts'
import { isAlphanumeric, isDigit, type Matcher } from '../../base/matcher.ts'
import { type Budget, spend } from '../../text/view/budget.ts'
import { cost, unlimited } from '../base/effort.ts'
import { firstOf } from '../base/letters.ts'
import { eastAsianAt } from './east-asian.ts'
import { placeAfter } from './places.ts'
import { Spots } from './spots.ts'
import { type Street, Words } from './street-line.ts'
import { streetAt } from './streets.ts'

/** ADDRESS: the whole address as written, scored by how complete it is. */
export const addressMatcher: Matcher = {
  types: ['ADDRESS'],
  collect: (text, from, found, effort = unlimited()) => {
    const places = { words: new Words(text, effort), spots: new Spots(text, effort), effort }
    for (let at = firstOf(digit, text, from); at < text.length; at = firstOf(digit, text, at + 1)) {
      if (!isNumberStart(text, at)) continue
      if (!spend(effort, cost.number)) return
      const finding = addressAt(places, at)
      if (finding) found.push(finding)
    }
  },
}

const digit = /[0-9\uff10-\uff19]/g

/** A text, and the memory of its parts. */
interface Places {
  readonly words: Words
  readonly spots: Spots
  readonly effort: Budget
}

/** Digits of a run that is too long for a house number are not looked at. */
function isNumberStart(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  return !isDigit(before) && !(before >= 0xff10 && before <= 0xff19)
}

function addressAt({ words, spots, effort }: Places, at: number): Finding | undefined {
  const { text } = words
  const before = text.charCodeAt(at - 1)
  if (before > 0x2fff || (before === 32 && text.charCodeAt(at - 2) > 0x2fff)) {
    const asian = spend(effort, cost.eastAsianStreet) ? eastAsianAt(text, at) : undefined
    if (asian) return asian
  }
  const street = streetAt(words, at) ?? boxAt(text, at)
  return street && whole(spots, street)
}

const box =
  /(?:P\.? ?O\.? ?Box|Post Office Box|Postfach|Apartado(?: de correos| postal)?|Bo[iî]te postale|Caixa Postal|Casella postale|Skrytka pocztowa|Postbus|Postboks|Private Bag|GPO Box|Locked Bag|Casilla) (?:X|no\.? ?)?$/i

/** Whether the last letters before the number can be those of a box; the exact test follows. */
function mayFollowBox(text: string, at: number): boolean {
  let end = at
  if (text.charCodeAt(end - 1) === 32) end -= 1
  if (text.charCodeAt(end - 1) === 46) end -= 1
  const last = text.charCodeAt(end - 1) | 32
  const pair = ((text.charCodeAt(end - 2) | 32) << 8) | last
  return boxEnds.has(pair) || (last === 120 && end === at)
}

// The last two letters of the box words, and `no`.
const boxEnds = new Set(
  ['ox', 'ch', 'do', 'os', 'al', 'le', 'wa', 'us', 'ks', 'ag', 'la', 'no'].map(
    (pair) => (pair.charCodeAt(0) << 8) | pair.charCodeAt(1),
  ),
)

function boxAt(text: string, at: number): Street | undefined {
  if (!mayFollowBox(text, at)) return undefined
  const before = box.exec(text.slice(Math.max(0, at - 28), at))?.[0]
  const digits = /^\d{1,6}(?: \d{2,3}){0,2}(?!\d)/.exec(text.slice(at, at + 14))?.[0]
  if (before === undefined || digits === undefined) return undefined
  return {
    start: at - before.length,
    end: at + (/^\d{1,6}(?!\d)/.exec(digits)?.[0].length ?? digits.length),
    country: undefined,
    score: 0.75,
  }
}

function whole(spots: Spots, street: Street): Finding | undefined {
  const { text } = spots
  const start = startBefore(text, street)
  const place = placeAfter(spots, { start, end: street.end, country: street.country })
  const gain =
    (place.postal ? 0.3 : 0) + (place.city ? 0.1 : 0) + (place.unit ? 0.1 : 0) + (start < street.start ? 0.15 : 0)
  const score = Math.round(Math.min(0.97, street.score + gain) * 100) / 100
  if (score < 0.5) return undefined
  const country = street.country ?? place.country
  const end =
    text[place.end - 1] === '.' && place.end === street.end && !/^,? \S/.test(text.slice(place.end, place.end + 3))
      ? place.end - 1
      : place.end
  return {
    detector: 'pii',
    type: 'ADDRESS',
    start,
    end,
    score,
    rule: 'address',
    ...(country === undefined ? {} : { country }),
  }
}

const unitBefore =
  /(?:(?:Flat|Studio|Apt\.?|Apartment|Unit|Suite|Room|Shop|House|Villa|Plot|H\.? ?No\.?|Door No\.?|No\.?|Floor|Block) (?:No\.? ?)?#?[A-Za-z]?-?\d{1,5}[A-Za-z]?,? |\d{1,4}[A-Z]?\/)$|(?:Flat|Studio|Apartment|Apt\.?|Unit|H\.? ?No\.?) $|(?:Flat|Apartment|Unit|Level) \d{1,4}[A-Za-z]?\n$/
const cityBefore =
  /(?:(?:\d{4,6},? )?(?:г|м|с|п|д|к|ст|клх|пос|пгт|рп|дер)\.? ?\p{Lu}[\p{L}-]{1,24}(?: \p{Lu}[\p{L}-]{1,24})?(?: \([\p{L}.]{2,12}\))?, |\d{4,6},? \p{Lu}[\p{L}-]{1,24}(?: [IVX]{1,5}\.| \p{Lu}[\p{L}-]{1,24})?, ?)$/u

/** A unit or, in the eastern order, the postal code and the city written before the street. */
function startBefore(text: string, { start }: Street): number {
  const mayBeUnit = mayEndUnit(text, start)
  const mayBeCity = mayEndCity(text, start)
  if (!mayBeUnit && !mayBeCity) return start
  const before = text.slice(Math.max(0, start - 56), start)
  const found =
    (mayBeUnit ? unitBefore.exec(before)?.[0] : undefined) ?? (mayBeCity ? cityBefore.exec(before)?.[0] : undefined)
  return found === undefined ? start : start - found.length
}

const isAsciiLetter = (code: number): boolean => isAlphanumeric(code) && !isDigit(code)

/** Whether a number, with a letter at most, or a word for a unit ends before a place; the exact test follows. */
function mayEndUnit(text: string, start: number): boolean {
  const gap = text.charCodeAt(start - 1)
  if (gap !== 32 && gap !== 47 && gap !== 10) return false
  let end = start - 1
  if (text.charCodeAt(end - 1) === 44) end -= 1
  if (isAsciiLetter(text.charCodeAt(end - 1)) && isDigit(text.charCodeAt(end - 2))) end -= 1
  if (gap !== 32) return isDigit(text.charCodeAt(end - 1))
  if (!isDigit(text.charCodeAt(end - 1))) return unitEnds.has(text.slice(end - 2, end)) || text[end - 1] === '.'
  while (isDigit(text.charCodeAt(end - 1))) end -= 1
  return mayLeadNumber(text, end)
}

/** Signs of a unit's number, then a blank after a word for it. */
function mayLeadNumber(text: string, number: number): boolean {
  let end = number
  if (text.charCodeAt(end - 1) === 45) end -= 1
  if (isAsciiLetter(text.charCodeAt(end - 1)) && !/[ro.]/.test(text.charAt(end - 1))) end -= 1
  if (text.charCodeAt(end - 1) === 35) end -= 1
  if (text.charCodeAt(end - 1) === 32) end -= 1
  return unitEnds.has(text.slice(end - 2, end)) || text.charCodeAt(end - 1) === 46
}

// The last two letters of the words for a unit; a full stop may stand for them.
const unitEnds = new Set('at io pt nt it te om op se la ot No or ck'.split(' '))

/** Whether a comma ends before a place; the exact test follows. */
const mayEndCity = (text: string, start: number): boolean =>
  text.charCodeAt(start - 1) === 44 || (text.charCodeAt(start - 1) === 32 && text.charCodeAt(start - 2) === 44)
