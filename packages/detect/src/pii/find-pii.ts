/**
 * Personal data by shape, check digits and context words.
 * Promises linear time, a bound on the work that no ordinary text reaches, and findings that never overlap. Tested in
 * find-pii.test.ts and effort.test.ts.
 */
import type { Finding } from '../base/finding.ts'
import type { Matcher } from '../base/matcher.ts'
import { isSpent, spend } from '../text/view/budget.ts'
import { addressMatcher } from './addresses/addresses.ts'
import { cost, effortFor } from './base/effort.ts'
import { encodedMatcher } from './encoded.ts'
import { nameMatcher } from './names/names.ts'
import { resolveOverlaps } from './resolve.ts'
import { respelledMatcher } from './respelled.ts'
import { structuredMatcher } from './structured.ts'

export const piiMatchers: readonly Matcher[] = [
  structuredMatcher,
  respelledMatcher,
  encodedMatcher,
  addressMatcher,
  nameMatcher,
]

/** The matchers that find one of some types; all when absent. */
export const piiMatchersOf = (types?: readonly string[]): readonly Matcher[] =>
  types ? piiMatchers.filter((matcher) => matcher.types.some((type) => types.includes(type))) : piiMatchers

export interface PiiOptions {
  /** Types to look for; all when absent. */
  readonly types?: readonly string[]
  /** Findings below this score are left out. Default 0.5. */
  readonly minScore?: number
  /** ISO 3166-1 alpha-2 countries; values that belong to another country are left out. All when absent. */
  readonly locales?: readonly string[]
}

export const defaultMinScore = 0.5

export interface PiiResult {
  /** In text order and without overlaps. */
  readonly findings: readonly Finding[]
  /**
   * Whether more in the text looks like personal data than is judged: then part of it went unread, and the only finding
   * is one of the type `UNINSPECTED` over all of it, even if other types are wanted.
   */
  readonly truncated: boolean
}

/** Stands for a text that could not be searched to its end: redacting the findings passes nothing unread on. */
export const uninspected = 'UNINSPECTED'

/** Personal data in a text, in text order and without overlaps; see `searchPii` for texts made to be slow. */
export function findPii(text: string, options: PiiOptions = {}): Finding[] {
  return [...searchPii(text, options).findings]
}

/** Personal data in a text, and whether all of the text was searched. Scores are 0..1. */
export function searchPii(text: string, options: PiiOptions = {}): PiiResult {
  const effort = effortFor(text.length)
  const found: Finding[] = []
  for (const matcher of piiMatchersOf(options.types)) matcher.collect(text, 0, found, effort)
  const wanted = isSpent(effort) ? [] : wantedOf(found, options)
  if (!spend(effort, wanted.length * cost.finding)) return { findings: [unread(text)], truncated: true }
  return { findings: resolveOverlaps(wanted), truncated: false }
}

const unread = ({ length }: string): Finding => ({
  detector: 'pii',
  type: uninspected,
  start: 0,
  end: length,
  score: 1,
})

function wantedOf(found: readonly Finding[], options: PiiOptions): readonly Finding[] {
  const { types, minScore = defaultMinScore, locales } = options
  const isWanted = ({ type, score, country }: Finding): boolean =>
    score >= minScore &&
    (!types || types.includes(type)) &&
    (!locales || country === undefined || locales.includes(country))
  return found.filter(isWanted)
}
