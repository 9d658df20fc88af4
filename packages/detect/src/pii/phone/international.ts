/**
 * International telephone numbers (`+49 30 …`, `0044 …`), numbers after a word that announces one, and extensions.
 * Tested in find-pii.test.ts.
 */
import { spend } from '../../text/view/budget.ts'
import { digitValue, isBlank, isDash, isLetter, isWordUnit } from '../base/characters.ts'
import { isOneDigit } from '../base/check-digits.ts'
import { cost } from '../base/effort.ts'
import { continues, mayBegin } from '../identifiers/recognize-identifiers.ts'
import { distanceOf, distanceOfOther, nowhere, type Recognizer, type Scan } from '../identifiers/scan.ts'
import { extensionEnd } from '../numbers/phone-extension.ts'
import { plans } from '../numbers/phone-plans.ts'

/** Digits and the places where a printed number may end. */
interface Printed {
  readonly digits: string
  /** For each group: digits up to its end, and its end in the text. */
  readonly groups: readonly { readonly count: number; readonly end: number }[]
}

const maxDigits = 17

/** Reads digit groups up to three separators apart, such as `) `, ` - ` or `(0)`. */
function readGroups(text: string, from: number): Printed {
  const groups: { count: number; end: number }[] = []
  let digits = ''
  let at = from
  while (digits.length <= maxDigits) {
    let value = digitValue(text.charCodeAt(at))
    if (value < 0) break
    for (; value >= 0 && digits.length <= maxDigits; value = digitValue(text.charCodeAt(at))) {
      digits += value
      at += 1
    }
    groups.push({ count: digits.length, end: at })
    at = nextGroup(text, at)
    if (at < 0) break
  }
  return { digits, groups }
}

function nextGroup(text: string, from: number): number {
  let at = from
  while (at - from < 3 && isSeparator(text.charCodeAt(at))) {
    if (at > from && isBlank(text.charCodeAt(at)) && isBlank(text.charCodeAt(at - 1))) return -1
    at += 1
  }
  return at > from ? at : -1
}

const isSeparator = (code: number): boolean =>
  isBlank(code) || isDash(code) || code === 46 || code === 47 || code === 40 || code === 41

interface Lengths {
  readonly country: string
  readonly code: string
  readonly least: number
  readonly most: number
}

const lengthsByCode = new Map<string, Lengths>()
for (const { country, code, length } of plans) {
  const known = lengthsByCode.get(code)
  const [least, most] = length
  lengthsByCode.set(code, {
    country: known?.country ?? country,
    code,
    least: Math.min(least, known?.least ?? least),
    most: Math.max(most, known?.most ?? most),
  })
}

/** The plan a number without its plus sign belongs to: codes are prefix free, one to three digits. */
function planOf(digits: string): Lengths | undefined {
  for (let length = 1; length <= 3; length += 1) {
    const plan = lengthsByCode.get(digits.slice(0, length))
    if (plan) return plan
  }
  return undefined
}

/** `+`, then a country code and a number of the right length. */
export const recognizeInternational: Recognizer = (scan, start) => {
  const { text } = scan
  const isAlone = start === 0 || (!isWordUnit(text.charCodeAt(start - 1)) && text[start - 1] !== '+')
  if (!isAlone || !spend(scan.effort, cost.telephone)) return
  const from = text[start + 1] === '(' || text[start + 1] === ' ' ? start + 2 : start + 1
  report(scan, { start, from, base: 0.95 })
}

/** `00` or `011`, then a country code. */
export const recognizeDialedAbroad: Recognizer = (scan, start) => {
  const { text } = scan
  if (text[start] !== '0' || !mayBegin(text, start)) return
  const prefix = text.startsWith('00', start) ? 2 : text.startsWith('011', start) ? 3 : 0
  if (prefix === 0) return
  const joined = digitValue(text.charCodeAt(start + prefix)) >= 0
  report(scan, { start, from: joined ? start + prefix : start + prefix + 1, base: 0.6 })
}

function report(scan: Scan, { start, from, base }: { start: number; from: number; base: number }): void {
  const { text, context, found } = scan
  const { digits, groups } = readGroups(text, from)
  const plan = planOf(digits)
  if (!plan) return
  const group = groups.findLast(
    ({ count, end }) => fits(digits.slice(0, count), plan) && !isWordUnit(text.charCodeAt(end)),
  )
  if (!group) return
  const before = context.before(start)
  const isNamed = distanceOf('phone', before, context.after(group.end)) <= distanceOfOther(before)
  const score = isNamed && distanceOf('phone', before, context.after(group.end)) < nowhere ? 0.98 : base
  const isPlain = groups.length === 1 && base < 0.9
  found.push({
    detector: 'pii',
    type: 'PHONE',
    start,
    end: extensionEnd(text, group.end),
    score: isPlain && score === base ? 0.4 : score,
    rule: 'phone-international',
    country: plan.country,
  })
}

/** Length without the country code and without a trunk zero in parentheses. */
function fits(digits: string, { code, least, most }: { code: string; least: number; most: number }): boolean {
  const whole = digits.length - code.length
  const number = digits.charCodeAt(code.length) === 48 ? whole - 1 : whole
  return (whole >= least && whole <= most && !isOneDigit(digits)) || (number >= least && number <= most)
}

/** Any 7 to 13 digits printed like a telephone number directly after a word that announces one. */
export const recognizeAnnounced: Recognizer = (scan, start) => {
  const { text, context, found } = scan
  const before = context.before(start)
  if (before.size === 0) return
  const named = distanceOf('phone', before)
  if (named > 28 || named > distanceOfOther(before) || !mayBegin(text, start)) return
  const isCall = text[start - 1] === '(' && isLetter(text.charCodeAt(start - 2))
  if (isCall) return
  const from = text[start] === '(' ? start + 1 : start
  const { digits, groups } = readGroups(text, from)
  const last = groups.at(-1)
  if (!last || digits.length < 7 || digits.length > 13 || isWordUnit(text.charCodeAt(last.end))) return
  if (continues(text, last.end) || isOneDigit(digits) || isDateOrAddress(text.slice(start, last.end))) return
  const score = digits.length === 7 && groups.length === 1 ? 0.55 : 0.75
  found.push({
    detector: 'pii',
    type: 'PHONE',
    start,
    end: extensionEnd(text, last.end),
    score,
    rule: 'phone-announced',
  })
}

const isDateOrAddress = (printed: string): boolean =>
  /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}(?!\d)|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}(?!\d)|\d{1,3}(?:\.\d{1,3}){3}$)/.test(
    printed,
  )
