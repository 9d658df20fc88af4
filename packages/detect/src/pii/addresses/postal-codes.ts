/**
 * Postal codes of an address, read at a place.
 * Promises to read at most 21 characters; whether a place stands beside a bare number is asked elsewhere. Tested in
 * addresses.test.ts.
 */
import { isDigit } from '../../matcher.ts'

export interface PostalCode {
  readonly end: number
  /** Digits and letters of the code itself. */
  readonly length: number
  readonly country: string | undefined
}

const postals: readonly (readonly [RegExp, string | undefined])[] = [
  [/(?:GIR ?0AA|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2})(?![A-Za-z\d])/y, 'GB'],
  [/[ABCEGHJ-NPRSTVXY]\d[A-Z][ -]?\d[A-Z]\d(?![A-Za-z\d])/y, 'CA'],
  [/[AC-FHKNPRTV-Y]\d[\dW] ?[\dAC-FHKNPRTV-Y]{4}(?![A-Za-z\d])/y, 'IE'],
  [/\d{4} ?[A-Z]{2}(?![A-Za-z\d])/y, 'NL'],
  [/\d{5}-\d{4}(?![\d])/y, 'US'],
  [/\d{5}-\d{3}(?![\d])/y, 'BR'],
  [/\d{4}-\d{3}(?![\d])/y, 'PT'],
  [/\d{2}-\d{3}(?![\d])/y, 'PL'],
  [/(?:[A-Z]{1,3}-)?\d{4,6}(?![\d\p{L}:/]|\.\d)/uy, undefined],
  [/\d{3} \d{2}(?![\d])/y, undefined],
  [/\d{3} \d{3}(?![\d])/y, 'IN'],
  [/[A-Z]\d{4}[A-Z]{3}(?![\p{L}\d])/uy, 'AR'],
]

const announced = /(?:C\.?P\.?:? |CEP:? |PLZ:? |PIN:? |Postcode:? |ZIP:? )/y

/** The postal code at a place, with the word that announces it. */
export function postalCodeAt(text: string, at: number): PostalCode | undefined {
  const from = afterWord(text, at)
  if (!mayBegin(text, from)) return undefined
  for (const [pattern, country] of postals) {
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

/** Two to six digits, or one to three capitals before one; the exact tests follow. */
function mayBegin(text: string, at: number): boolean {
  let digits = 0
  while (digits < 7 && isDigit(text.charCodeAt(at + digits))) digits += 1
  if (digits > 2) return digits < 7
  if (digits > 0) return digits === 2 && text.charCodeAt(at + 2) === 45
  if (!isCapital(text.charCodeAt(at))) return false
  for (let next = at + 1; next <= at + 4; next += 1) if (isDigit(text.charCodeAt(next))) return true
  return false
}
