/** Dates in any usual notation near a word for birth. Tested in find-pii.test.ts. */
import { isDigit } from '../../base/matcher.ts'
import { dayExists } from '../base/calendar.ts'
import { digitValue, isWordUnit } from '../base/characters.ts'
import { distanceOf, nearestOf, nowhere, type Recognizer } from '../identifiers/scan.ts'
import type { Near } from '../lexicon/context.ts'
import { monthByName } from '../lexicon/month-names.ts'

const year = String.raw`(?:1[89]\d\d|20[0-4]\d|'?\d\d|25[0-6]\d)`
const gap = String.raw`[ \u00a0]{0,2}`
const dayMonth = new RegExp(String.raw`(\d{1,2})${gap}([-./])${gap}(\d{1,2})${gap}([-./])${gap}${year}(?!\d)`, 'y')
const yearMonth = /(?:1[89]\d\d|20[0-4]\d)[ ]?([-./])[ ]?(\d{1,2})[ ]?([-./])[ ]?(\d{1,2})(?!\d)/y
const cjk = /(?:(?:1[89]|20)\d\d|\d{2})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日號号일]?/y
const era = /(?:昭和|平成|令和|大正|民國|民国)\s?(?:\d{1,3}|元)\s?年\s?\d{1,2}\s?月\s?\d{1,2}\s?日/y
const compact = /(?:19\d\d|20[0-4]\d)(\d\d)(\d\d)(?!\d)/y
const isoTime = /T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?Z?/y
const word = String.raw`[^\s\d,.;:()"'-]{3,14}`
const dayFirst = new RegExp(
  String.raw`(\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?[- ,.]{0,2}(?:(?:de|of|di|d'|den|of the)[ ])?(${word})\.?[- ,.]{0,2}(?:(?:de|del|of)[ ])?(?:${year})(?!\d)`,
  'iy',
)
const monthFirst = new RegExp(
  String.raw`(${word})\.?[- ]{1,2}(\d{1,2})(?:st|nd|rd|th)?[-, ]{1,3}(?:${year})(?!\d)`,
  'iy',
)
const yearFirst = new RegExp(
  String.raw`(?:1[89]\d\d|20[0-4]\d)[-., ]{1,2}(?:m\. )?(${word})[- ]{1,2}(\d{1,2})(?!\d)`,
  'iy',
)

/** Longest date text: `27 septembrie de 1984` and the like. */
const reach = 48

/** Dates that begin with a digit. */
export const recognizeBirthDate: Recognizer = (scan, start) => {
  if (!isNearBirth(scan.context.before(start)) && !isNearBirth(scan.context.after(start + 6))) return
  const end = dateEnd(scan.text, start)
  if (end > 0) report(scan, start, end)
}

/** Dates that begin with a month's name: `March 5, 1980`. */
export const recognizeNamedMonth: Recognizer = (scan, start, wordEnd) => {
  const { text } = scan
  const next = text.charCodeAt(wordEnd + 1)
  if (digitValue(next) < 0 && digitValue(text.charCodeAt(wordEnd + 2)) < 0) return
  if (!monthByName.has(text.slice(start, wordEnd).toLowerCase())) return
  const match = matchAt(monthFirst, text, start)
  if (match && dayExists(monthByName.get((match[1] ?? '').toLowerCase()) ?? 0, Number(match[2]))) {
    report(scan, start, start + match[0].length)
  }
}

const isNearBirth = (near: Near): boolean => distanceOf('birth', near) < nowhere

function report({ context, found }: Parameters<Recognizer>[0], start: number, end: number): void {
  const before = distanceOf('birth', context.before(start))
  const after = distanceOf('birth', context.after(end))
  const distance = Math.min(before, after)
  if (distance > 64) return
  // `MRN 19740705` is a number, with any text before it.
  if (nearestOf(numberTopics, context.before(start)) < distance) return
  const score = before <= 30 ? 0.95 : after <= 40 ? 0.8 : before <= 50 ? 0.7 : 0.45
  found.push({ detector: 'pii', type: 'DATE_OF_BIRTH', start, end, score, rule: 'birth-date' })
}

const numberTopics = ['record', 'passport', 'license', 'insurance', 'phone', 'other-thing']

function matchAt(pattern: RegExp, text: string, start: number): RegExpExecArray | null {
  pattern.lastIndex = 0
  return pattern.exec(text.slice(start, start + reach))
}

/** End of the date that begins at `start`, 0 when there is none. */
function dateEnd(text: string, start: number): number {
  const length = datedLength(text, start)
  if (length === 0) return 0
  const end = start + length
  const time = matchAt(isoTime, text, end)
  const whole = time ? end + time[0].length : end
  return isWordUnit(text.charCodeAt(whole)) && text.charCodeAt(whole) < 0x2e80 ? 0 : whole
}

/** Length of the date that begins with a run of `digits` digits: no notation begins with any other number of them. */
function datedLength(text: string, start: number): number {
  const digits = digitsAt(text, start)
  if (digits === 1 || digits === 2) {
    return (
      dayMonthLength(text, start) || (digits === 2 ? plainLength(cjk, text, start) : 0) || dayFirstLength(text, start)
    )
  }
  if (digits === 4) return yearMonthLength(text, start) || plainLength(cjk, text, start) || yearFirstLength(text, start)
  return digits === 8 ? plainLength(compact, text, start) : 0
}

function digitsAt(text: string, start: number): number {
  let count = 0
  while (count < 9 && isDigit(text.charCodeAt(start + count))) count += 1
  return count
}

function dayMonthLength(text: string, start: number): number {
  const match = matchAt(dayMonth, text, start)
  const holds = match && match[2] === match[4] && isDayAndMonth(Number(match[1]), Number(match[3]))
  return holds ? match[0].length : 0
}

function yearMonthLength(text: string, start: number): number {
  const match = matchAt(yearMonth, text, start)
  return match && match[1] === match[3] && dayExists(Number(match[2]), Number(match[4])) ? match[0].length : 0
}

function plainLength(pattern: RegExp, text: string, start: number): number {
  const match = matchAt(pattern, text, start)
  return match && dayExists(Number(match[1]), Number(match[2])) ? match[0].length : 0
}

function dayFirstLength(text: string, start: number): number {
  const match = matchAt(dayFirst, text, start)
  return match && dayExists(monthByName.get((match[2] ?? '').toLowerCase()) ?? 0, Number(match[1]))
    ? match[0].length
    : 0
}

function yearFirstLength(text: string, start: number): number {
  const match = matchAt(yearFirst, text, start)
  return match && dayExists(monthByName.get((match[1] ?? '').toLowerCase()) ?? 0, Number(match[2]))
    ? match[0].length
    : 0
}

const isDayAndMonth = (a: number, b: number): boolean => dayExists(b, a) || dayExists(a, b)

/** Japanese and Taiwanese years of an era: `昭和55年3月2日`. */
export const recognizeEraDate: Recognizer = (scan, start) => {
  const match = matchAt(era, scan.text, start)
  if (match) report(scan, start, start + match[0].length)
}
