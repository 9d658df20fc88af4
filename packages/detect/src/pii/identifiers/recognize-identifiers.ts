/**
 * Judges identifiers with a fixed layout by check digits and the words around them.
 * Promises at most one finding for each place and end: of several readings the best named, then the rarest, wins.
 * Tested in national/national.test.ts.
 */
import { spend } from '../../text/view/budget.ts'
import { compactOf, digitValue, isBlank, isDash, isLetter, isWordUnit } from '../base/characters.ts'
import { cost } from '../base/effort.ts'
import type { Identifier } from '../base/identifier.ts'
import { createLayoutTree, isExtension } from '../base/layouts.ts'
import { type Near, sentenceCost } from '../lexicon/context.ts'
import { languagesOf } from '../lexicon/languages.ts'
import { extensionEnd } from '../numbers/phone-extension.ts'
import { identifiers } from './identifiers.ts'
import { distanceOf, distanceOfOther, nearestOf, nowhere, type Recognizer, type Scan } from './scan.ts'

const tree = createLayoutTree(identifiers)

/** How a reading is supported: score, and for ties how near its name stands. */
interface Verdict {
  readonly identifier: Identifier
  readonly score: number
  readonly distance: number
  readonly valid: boolean
}

export const recognizeIdentifiers: Recognizer = (scan, start) => {
  const { text, found } = scan
  if (!mayBegin(text, start)) return
  tree.walk(text, start, (candidates, end) => {
    if (continues(text, end) || !spend(scan.effort, cost.layout)) return
    const best = bestOf(scan, candidates, start, end)
    if (!best || best.score <= 0) return
    const { identifier, score, valid } = best
    const isPhone = identifier.type === 'PHONE'
    if (!isPhone && isExtension(text, end)) return
    found.push({
      detector: 'pii',
      type: identifier.type,
      start,
      end: isPhone ? extensionEnd(text, end) : end,
      score,
      rule: identifier.id,
      ...(identifier.country ? { country: identifier.country } : {}),
      ...(valid ? {} : { evidence: 'invalid checksum' }),
    })
  })
}

/** Not the later part of a longer number, code or decimal: `12-345`, `4c0c-8204`, `$1`, `3.14`. */
export function mayBegin(text: string, start: number): boolean {
  if (start === 0) return true
  const before = text.charCodeAt(start - 1)
  if (isWordUnit(before)) return false
  if (before === 36 || before === 0x20ac || before === 0xa3) return false
  const joins = isDash(before) || before === 46 || before === 44 || before === 47 || before === 43 || before === 37
  if (!joins || start < 2) return before !== 43
  return before === 44 ? !groupsThousands(text, start - 1) : !followsCode(text, start - 2)
}

/** Whether a comma stands between thousands or before decimals, and not between fields. */
function groupsThousands(text: string, comma: number): boolean {
  const left = digitsBefore(text, comma)
  const right = digitsAfter(text, comma + 1)
  const next = text.charCodeAt(comma + 1 + right)
  return (
    left > 0 && right > 0 && ((left <= 3 && right === 3 && !isDash(next) && next !== 32) || (right <= 2 && next !== 44))
  )
}

function digitsBefore(text: string, end: number): number {
  let count = 0
  while (count < 4 && digitValue(text.charCodeAt(end - 1 - count)) >= 0) count += 1
  return count
}

function digitsAfter(text: string, start: number): number {
  let count = 0
  while (count < 4 && digitValue(text.charCodeAt(start + count)) >= 0) count += 1
  return count
}

/** Whether the word that ends here holds a digit: then a joiner after it makes the value its continuation. */
function followsCode(text: string, last: number): boolean {
  for (let at = last; at > last - 24 && at >= 0; at -= 1) {
    const code = text.charCodeAt(at)
    if (digitValue(code) >= 0) return true
    if (!isLetter(code)) return false
  }
  return true
}

/** Whether a number goes on after `end`: a joiner and then a digit, a per cent sign, a fraction. */
export function continues(text: string, end: number): boolean {
  const code = text.charCodeAt(end)
  if (code === 37) return true
  if (code === 44) return groupsThousands(text, end)
  const joins = isDash(code) || code === 46 || code === 47 || code === 58 || code === 95
  if (!joins) return false
  const next = text.charCodeAt(end + 1)
  return digitValue(next) >= 0 || ((isDash(code) || code === 47) && isLetter(next) && digitFollows(text, end + 2))
}

const digitFollows = (text: string, from: number): boolean => {
  for (let at = from; at < from + 6; at += 1) if (digitValue(text.charCodeAt(at)) >= 0) return true
  return false
}

function bestOf(scan: Scan, candidates: readonly Identifier[], start: number, end: number): Verdict | undefined {
  const isUnexplained = scan.context.before(start).size === 0 && scan.context.after(end).size === 0
  if (isUnexplained && !candidates.some(({ chance }) => chance >= lowest)) return undefined
  if (!isUnexplained && !spend(scan.effort, candidates.length * cost.identifier)) return undefined
  const printed = scan.text.slice(start, end)
  const compact = compactOf(scan.text, start, end)
  let best: Verdict | undefined
  for (const identifier of candidates) {
    if (isUnexplained && identifier.chance < lowest) continue
    const verdict = judge(scan, { identifier, compact, printed, start, end })
    if (verdict && (!best || isBetter(verdict, best))) best = verdict
  }
  return best
}

const isBetter = (a: Verdict, b: Verdict): boolean =>
  a.score !== b.score
    ? a.score > b.score
    : a.distance !== b.distance
      ? a.distance < b.distance
      : a.identifier.chance > b.identifier.chance

interface Reading {
  readonly identifier: Identifier
  readonly compact: string
  readonly printed: string
  readonly start: number
  readonly end: number
}

/** Findings below this are never reported: a number like many others that nothing names. */
const lowest = 0.45

function judge({ text, context }: Scan, reading: Reading): Verdict | undefined {
  const { identifier, compact, printed, start, end } = reading
  const before = context.before(start)
  const after = context.after(end)
  const isUnexplained = before.size === 0 && after.size === 0
  if (identifier.chance < lowest && isUnexplained) return undefined
  const own = distanceOf(identifier.topic ?? identifier.id, before, after)
  const isNamed = own < nowhere && own <= distanceOfOther(before)
  if (!isNamed && identifier.chance === 0) return undefined
  if (!identifier.valid(compact, printed)) {
    const isMistyped = isNamed && own < sentenceCost && !identifier.unchecked && compact.length > 7
    return isMistyped ? { identifier, score: 0.5, distance: own, valid: false } : undefined
  }
  if (isNamed) return { identifier, score: named(identifier), distance: own, valid: true }
  const { score, distance } = isUnexplained
    ? { score: identifier.chance, distance: nowhere }
    : unnamed(identifier, before, after)
  const isInRows = rowEnd.test(printed) ? isBesideNumbers(text, start, end) : isCrowded(text, start, end)
  const adjusted = isInRows ? score * 0.6 : score
  return adjusted < lowest ? undefined : { identifier, score: adjusted, distance, valid: true }
}

const named = ({ unchecked }: Identifier): number => (unchecked ? 0.9 : 0.99)

type Side = Near

/** Score by rarity, raised by words for any identity number in a language of the country, lowered by other things. */
function unnamed(identifier: Identifier, before: Side, after: Side): { score: number; distance: number } {
  const { chance, country, type, leastScore = 0 } = identifier
  const other = distanceOfOther(before)
  const local = isOfficial(type) ? nearestOf(localTopics(country), before, after) : nowhere
  const generic = isOfficial(type) ? Math.min(local, distanceOf('id:en', before, after)) : nowhere
  if (generic <= other && generic < genericReach) {
    return { score: Math.max(chance, (local < nowhere ? 0.8 : 0.6) + chance * 0.15), distance: generic }
  }
  return { score: other < nowhere ? Math.max(leastScore, chance * 0.45) : chance, distance: nowhere }
}

/** A word for any identity number counts only in the sentence of the number. */
const genericReach = 40

const isOfficial = (type: string): boolean => type === 'NATIONAL_ID' || type === 'US_SSN' || type === 'TAX_ID'

const topicsByCountry = new Map<string, readonly string[]>()
for (const { country } of identifiers) {
  if (country)
    topicsByCountry.set(
      country,
      (languagesOf[country] ?? []).map((language) => `id:${language}`),
    )
}

const noTopics: readonly string[] = []
const localTopics = (country: string | undefined): readonly string[] => topicsByCountry.get(country ?? '') ?? noTopics

/** Separators of the columns and rows of a table. */
const rowEnd = /[\t\r\n,]/

/** More numbers before or after the value, as in a table or a list: it may be some of those. */
function isBesideNumbers(text: string, start: number, end: number): boolean {
  return (
    /\d[\s,;]{1,4}$/.test(text.slice(Math.max(0, start - 5), start)) || /^[\s,;]{1,4}\d/.test(text.slice(end, end + 5))
  )
}

/** Another number group directly beside the value: it may be part of a longer one. */
function isCrowded(text: string, start: number, end: number): boolean {
  const before = isBlank(text.charCodeAt(start - 1)) && digitValue(text.charCodeAt(start - 2)) >= 0
  const after = isBlank(text.charCodeAt(end)) && digitValue(text.charCodeAt(end + 1)) >= 0
  return before || after
}
