/**
 * One pass over the text that asks each recognizer at the places where its values can begin.
 * Promises linear time: a word is measured once, and a recognizer reads a bounded piece. Tested in find-pii.test.ts.
 */
import type { Finding } from '../base/finding.ts'
import type { Matcher } from '../base/matcher.ts'
import { type Budget, spend } from '../text/view/budget.ts'
import { digitValue, isBlank, isDash, isLetter, isSymbol, isWordUnit } from './base/characters.ts'
import { cost, unlimited } from './base/effort.ts'
import { recognizeBirthDate, recognizeEraDate, recognizeNamedMonth } from './dates/birth-dates.ts'
import { recognizeDocument, recognizeMachineReadable, recognizeVehicle } from './documents/recognize-documents.ts'
import { recognizeIdentifiers } from './identifiers/recognize-identifiers.ts'
import type { Scan } from './identifiers/scan.ts'
import { createContext } from './lexicon/context.ts'
import { putBehindOpenings, wordBefore } from './lexicon/opening-words.ts'
import { lexicon } from './lexicon.ts'
import { recognizeCrypto } from './money/crypto.ts'
import { recognizeBic, recognizeIban } from './money/iban.ts'
import { recognizeIpv4, recognizeIpv6, recognizeMac } from './net/addresses.ts'
import { recognizeCoordinates } from './net/coordinates.ts'
import { recognizeCredentials, recognizeEmail, recognizeSpelledEmail } from './net/email.ts'
import { recognizeAnnounced, recognizeDialedAbroad, recognizeInternational } from './phone/international.ts'

const types = [
  ...['EMAIL', 'PHONE', 'IBAN', 'BIC', 'CREDIT_CARD', 'NATIONAL_ID', 'US_SSN', 'US_EIN', 'UK_NINO', 'PASSPORT'],
  ...['DRIVING_LICENSE', 'DATE_OF_BIRTH', 'IP_ADDRESS', 'MAC_ADDRESS', 'IMEI', 'VIN', 'MEDICAL_RECORD'],
  ...['HEALTH_INSURANCE', 'CRYPTO', 'COORDINATES', 'URL_CREDENTIALS', 'LICENSE_PLATE', 'TAX_ID'],
]

/** Everything that is found by shape, check digits and words nearby. */
export const structuredMatcher: Matcher = { types, marked: true, collect }

function collect(text: string, from: number, found: Finding[], effort: Budget = unlimited()): void {
  const known = found.length
  const scan: Scan = { text, context: createContext(text, lexicon), found, effort }
  recognizeFrom(scan, wordBefore(text, from, shortWord))
  putBehindOpenings(scan, known)
}

function recognizeFrom(scan: Scan, from: number): void {
  const { text, effort } = scan
  let shortStart = -1
  let shortEnd = -2
  // Kinds of the unit before the one at hand.
  let before = from > 0 ? (kindOf[text.charCodeAt(from - 1)] ?? 0) : 0
  for (let at = from; at < text.length; ) {
    const code = text.charCodeAt(at)
    let kinds = kindOf[code] ?? 0
    if ((kinds & kind.symbol) === 0) {
      if ((kinds & kind.mark) !== 0) {
        if (!spend(effort, cost.word)) return
        recognizeAtMark(scan, at, code)
      }
      before = kinds
      at += 1
      continue
    }
    const start = at
    let next = 0
    for (at += 1; at < text.length; at += 1) {
      next = kindOf[text.charCodeAt(at)] ?? 0
      if ((next & kind.symbol) === 0) break
      kinds |= next
    }
    if ((before & kind.joiner) !== 0) continue
    if ((kinds & kind.digit) === 0) {
      if (at === text.length) next = 0
      recognizeLetters(scan, { start, end: at, kinds, next })
      if ((next & kind.gap) !== 0 && at - start <= shortWord) {
        shortStart = start
        shortEnd = at
      }
      continue
    }
    if (!spend(effort, cost.word)) return
    // `AB 12345`: a short word is part of the value that begins after it.
    if (shortEnd === start - 1 && hasDigit(text, start)) recognizeNumbered(scan, shortStart, shortEnd)
    recognizeWord(scan, { start, end: at, kinds })
  }
}

const shortWord = 6

/** Kinds of a unit, as bits; a word has those of all its units. */
const kind = { symbol: 1, digit: 2, lower: 4, mark: 8, gap: 16, joiner: 32, point: 64, sign: 128 } as const

const kindOf = Uint8Array.from({ length: 0x10000 }, (_, code) => {
  const isNumeral = digitValue(code) >= 0
  return (
    (isSymbol(code) ? kind.symbol : 0) |
    (isNumeral ? kind.digit : 0) |
    (code >= 97 && code <= 122 ? kind.lower : 0) |
    (isAtSign(code) || code === 43 || code === 58 || code === 40 || code === 91 || isEraSign(code) ? kind.mark : 0) |
    (isBlank(code) || isDash(code) ? kind.gap : 0) |
    (code !== 95 && isWordUnit(code) ? kind.joiner : 0) |
    (code === 46 ? kind.point : 0) |
    (code === 45 || code === 46 || code === 58 || code === 60 ? kind.sign : 0)
  )
})

/** Values that begin with, or are centered on, a mark. */
function recognizeAtMark(scan: Scan, at: number, code: number): void {
  if (isAtSign(code)) recognizeEmail(scan, at)
  else if (code === 43) recognizeInternational(scan, at, at + 1)
  else if (code === 58) recognizeAtColon(scan, at)
  else if (code === 40 || code === 91) recognizeAtBracket(scan, at)
  else recognizeEraDate(scan, at, at + 2)
}

function isAtSign(code: number): boolean {
  return code === 64 || code === 0xff20
}

// 昭 平 令 大 民
function isEraSign(code: number): boolean {
  return code === 0x662d || code === 0x5e73 || code === 0x4ee4 || code === 0x5927 || code === 0x6c11
}

function recognizeAtColon(scan: Scan, at: number): void {
  if (scan.text.startsWith('//', at + 1)) recognizeCredentials(scan, at)
  else if (scan.text.charCodeAt(at + 1) === 58) recognizeIpv6(scan, at)
}

/** `(555) 123-4567` and `name (at) example dot com`; a bracket right after a word opens an argument list. */
function recognizeAtBracket(scan: Scan, at: number): void {
  const { text } = scan
  const next = text.charCodeAt(at + 1)
  if ((next | 32) === 97) {
    if (/^.[Aa][Tt][)\]]/.test(text.slice(at, at + 4))) recognizeSpelledEmail(scan, at)
    return
  }
  if (digitValue(next) < 0 || (at > 0 && isLetter(text.charCodeAt(at - 1)))) return
  recognizeIdentifiers(scan, at, at + 1)
  recognizeAnnounced(scan, at, at + 1)
}

interface Word {
  readonly start: number
  readonly end: number
  readonly kinds: number
}

/** A word with a digit in it. */
function recognizeWord(scan: Scan, { start, end, kinds }: Word): void {
  const { text } = scan
  const isNumber = digitValue(text.charCodeAt(start)) >= 0
  if (isNumber || mayBeCode(text, start, end)) recognizeCode(scan, start, end)
  if (isNumber) recognizeNumber(scan, start, end)
  else {
    if (end - start >= 4 && isUpperOrIban(text, start)) recognizeIban(scan, start)
    recognizeCapitals(scan, { start, end, kinds })
  }
  if (end - start <= 4) recognizeHexadecimal(scan, start, end)
  if (end - start >= 26 && end - start <= 110) recognizeCrypto(scan, start, end)
  else if (end - start === 17) recognizeVehicle(scan, start, end)
}

function recognizeCode(scan: Scan, start: number, end: number): void {
  recognizeIdentifiers(scan, start, end)
  recognizeDocument(scan, start, end)
}

/** A word without a digit that is read with the number after it. */
function recognizeNumbered(scan: Scan, start: number, end: number): void {
  const known = scan.found.length
  recognizeIdentifiers(scan, start, end)
  putBehindOpenings(scan, known, { alone: true })
  recognizeDocument(scan, start, end)
}

function recognizeNumber(scan: Scan, start: number, end: number): void {
  const next = scan.text.charCodeAt(end)
  recognizeDialedAbroad(scan, start, end)
  recognizeAnnounced(scan, start, end)
  recognizeBirthDate(scan, start, end)
  if (end - start > 3) return
  if (next === 46) recognizeIpv4(scan, start)
  if (next === 46 || next === 0xb0) recognizeCoordinates(scan, start)
}

interface Letters extends Word {
  /** Kinds of the unit behind the word. */
  readonly next: number
}

/** A word of ASCII letters alone. */
function recognizeLetters(scan: Scan, { start, end, kinds, next }: Letters): void {
  const { text } = scan
  const length = end - start
  const isBeforeSign = (next & kind.sign) !== 0
  if (length >= 3 && (next & (kind.gap | kind.point)) !== 0 && isDigitNear(text, end + 1))
    recognizeNamedMonth(scan, start, end)
  if (length >= 4 && text.charCodeAt(start) === 73 && text.startsWith('IBAN', start)) recognizeIban(scan, start)
  if ((kinds & kind.lower) === 0 || (isBeforeSign && text.charCodeAt(end) === 60))
    recognizeCapitals(scan, { start, end, kinds })
  if (length > 4) {
    if (length >= 26 && length <= 110) recognizeCrypto(scan, start, end)
  } else if (isBeforeSign) recognizeHexadecimal(scan, start, end)
}

const isDigitNear = (text: string, at: number): boolean =>
  ((kindOf[text.charCodeAt(at)] ?? 0) & kind.digit) !== 0 || ((kindOf[text.charCodeAt(at + 1)] ?? 0) & kind.digit) !== 0

/** Bank codes and machine-readable lines, which are all in capitals. */
function recognizeCapitals(scan: Scan, { start, end, kinds }: Word): void {
  const length = end - start
  if ((length === 8 || length === 11) && (kinds & kind.lower) === 0) recognizeBic(scan, start, end)
  if (length >= 9 || scan.text.charCodeAt(end) === 60) recognizeMachineReadable(scan, start)
}

const isUpperOrIban = (text: string, start: number): boolean => {
  const third = text.charCodeAt(start + 2)
  const isCode =
    isLetter(text.charCodeAt(start + 1)) && digitValue(third) >= 0 && digitValue(text.charCodeAt(start + 3)) >= 0
  return isCode || text.startsWith('IBAN', start)
}

/** Whether a word that begins with a letter has its digits where those of codes stand. */
function mayBeCode(text: string, start: number, end: number): boolean {
  // A number glued to a word is at its end or within the first places: `S2863488I`, `AW636511C`, `MRN123`.
  if (isAsciiDigit(text.charCodeAt(end - 1)) || isAsciiDigit(text.charCodeAt(end - 2))) return true
  const next = text.charCodeAt(end)
  if (end - start <= shortWord && (isBlank(next) || isDash(next)) && hasDigit(text, end + 1)) return true
  return end - start <= 24 && hasDigit(text, start + 1)
}

const isAsciiDigit = (code: number): boolean => code >= 48 && code <= 57

function hasDigit(text: string, from: number): boolean {
  for (let at = from; at < from + 6 && isSymbol(text.charCodeAt(at)); at += 1) {
    if (digitValue(text.charCodeAt(at)) >= 0) return true
  }
  return false
}

function recognizeHexadecimal(scan: Scan, start: number, end: number): void {
  const next = scan.text.charCodeAt(end)
  if (next === 58) recognizeIpv6(scan, start)
  if ((end - start === 2 && (next === 58 || next === 45)) || (end - start === 4 && next === 46))
    recognizeMac(scan, start)
}
