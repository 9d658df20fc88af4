/**
 * Postal codes of an address, read at a place.
 * Promises to read at most 21 characters; whether a place stands beside a bare number is asked elsewhere. Tested in
 * addresses.test.ts.
 */
import { isDigit } from '../../base/matcher.ts'

export interface PostalCode {
  readonly end: number
  /** Digits and letters of the code itself. */
  readonly length: number
  readonly country: string | undefined
}

type Postal = readonly [pattern: RegExp, country: string | undefined]

const plain: Postal = [/(?:[A-Z]{1,3}-)?\d{4,6}(?![\d\p{L}:/]|\.\d)/uy, undefined]

/** Codes that begin with a capital. */
const lettered: readonly Postal[] = [
  [/(?:GIR ?0AA|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2})(?![A-Za-z\d])/y, 'GB'],
  [/[ABCEGHJ-NPRSTVXY]\d[A-Z][ -]?\d[A-Z]\d(?![A-Za-z\d])/y, 'CA'],
  [/[AC-FHKNPRTV-Y]\d[\dW] ?[\dAC-FHKNPRTV-Y]{4}(?![A-Za-z\d])/y, 'IE'],
  plain,
  [/[A-Z]\d{4}[A-Z]{3}(?![\p{L}\d])/uy, 'AR'],
]

/** Codes that begin with digits, by how many stand together. */
const numbered: readonly (readonly Postal[])[] = [
  [],
  [],
  [[/\d{2}-\d{3}(?![\d])/y, 'PL']],
  [
    [/\d{3} \d{2}(?![\d])/y, undefined],
    [/\d{3} \d{3}(?![\d])/y, 'IN'],
  ],
  [[/\d{4} ?[A-Z]{2}(?![A-Za-z\d])/y, 'NL'], [/\d{4}-\d{3}(?![\d])/y, 'PT'], plain],
  [[/\d{5}-\d{4}(?![\d])/y, 'US'], [/\d{5}-\d{3}(?![\d])/y, 'BR'], plain],
  [plain],
]
const none: readonly Postal[] = []

const announced = /(?:C\.?P\.?:? |CEP:? |PLZ:? |PIN:? |Postcode:? |ZIP:? )/y

/** The postal code at a place, with the word that announces it. */
export function postalCodeAt(text: string, at: number): PostalCode | undefined {
  const from = afterWord(text, at)
  for (const [pattern, country] of candidatesAt(text, from)) {
    pattern.lastIndex = from
    if (pattern.test(text)) return { end: pattern.lastIndex, length: pattern.lastIndex - from, country }
  }
  return undefined
}

function afterWord(text: string, at: number): number {
  const first = text.charCodeAt(at)
  if (first !== 67 && first !== 80 && first !== 90) return at
  announced.lastIndex = at
  return announced.test(text) ? announced.lastIndex : at
}

const isCapital = (code: number): boolean => code >= 65 && code <= 90

/** The codes that two to six digits, or one to three capitals before a digit, can begin; the exact tests follow. */
function candidatesAt(text: string, at: number): readonly Postal[] {
  let digits = 0
  while (digits < 7 && isDigit(text.charCodeAt(at + digits))) digits += 1
  if (digits > 0) return (digits !== 2 || text.charCodeAt(at + 2) === 45 ? numbered[digits] : none) ?? none
  if (!isCapital(text.charCodeAt(at))) return none
  for (let next = at + 1; next <= at + 4; next += 1) if (isDigit(text.charCodeAt(next))) return lettered
  return none
}
