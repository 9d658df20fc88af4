import type { Finding } from '../finding.ts'
import { isDigit, isWord, type Matcher } from '../matcher.ts'
import { type DigitRun, digitGroups, firstGroups } from './digits.ts'

/** Payment card numbers: 13 to 19 digits, issuer range, Luhn check digit, printed in one piece or in card groups. */
export const card: Matcher = {
  types: ['CREDIT_CARD'],
  collect: (text, from, found) => {
    for (let at = from; at < text.length; at += 1) {
      if (!isDigit(text.charCodeAt(at)) || !startsNumber(text, at)) continue
      const finding = cardAt(text, at)
      if (finding) found.push(finding)
    }
  },
}

function startsNumber(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  if (at === 0) return true
  // A point after a digit makes it a decimal fraction.
  return !isWord(before) && !(before === 46 && isDigit(text.charCodeAt(at - 2)))
}

function cardAt(text: string, at: number): Finding | undefined {
  // Card numbers begin with 2 to 6 or 8.
  const first = text.charCodeAt(at) - 48
  if (first < 2 || first === 7 || first === 9) return undefined
  const found = digitGroups(text, at, { maxDigits: 19, wide: false })
  if (found.digits.length < 13) return undefined
  // Printed cards have at most five groups.
  for (let count = Math.min(5, found.groups.length); count > 0; count -= 1) {
    const run = firstGroups(found, count)
    if (run && isCard(run) && !isWord(text.charCodeAt(run.end))) return findingOf(at, run)
  }
  return undefined
}

function findingOf(start: number, { digits, groups, end }: DigitRun): Finding {
  const score = digits.length === 13 ? 0.6 : groups.length > 1 ? 0.98 : 0.9
  return { detector: 'pii', type: 'CREDIT_CARD', start, end, score }
}

// ISO/IEC 7812 ranges as the networks publish them: Visa, Mastercard, Amex, Discover, Diners, JCB, UnionPay, Maestro, Mir.
const ranges: readonly { prefix: RegExp; lengths: readonly number[] }[] = [
  { prefix: /^4/, lengths: [13, 16, 19] },
  { prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { prefix: /^3[47]/, lengths: [15] },
  { prefix: /^(?:6011|64[4-9]|65)/, lengths: [16, 19] },
  { prefix: /^(?:30[0-5]|3095|36|38|39)/, lengths: [14, 16, 19] },
  { prefix: /^35(?:2[89]|[3-8])/, lengths: [16, 19] },
  { prefix: /^(?:62|81)/, lengths: [16, 17, 18, 19] },
  { prefix: /^(?:5018|5020|5038|5893|6304|6759|676[1-3])/, lengths: [13, 14, 15, 16, 17, 18, 19] },
  { prefix: /^220[0-4]/, lengths: [16, 17, 18, 19] },
]

const printedGroups = new Set(['4,4,4,4', '4,6,5', '4,6,4', '4,4,4,4,3', '4,4,5', '4,4,4,1', '6,13', '8,8'])

function isCard({ digits, groups }: DigitRun): boolean {
  if (digits.length < 13 || (groups.length > 1 && !printedGroups.has(groups.join(',')))) return false
  return (
    ranges.some(({ prefix, lengths }) => lengths.includes(digits.length) && prefix.test(digits)) && luhnHolds(digits)
  )
}

/** Luhn check (ISO/IEC 7812-1 annex B); a number of one repeated digit never holds. */
export function luhnHolds(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0 && digits !== (digits[0] ?? '').repeat(digits.length)
}
