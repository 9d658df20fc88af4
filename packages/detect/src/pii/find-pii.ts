/**
 * Personal data by shape, check digits and context words.
 * Promises linear time and findings that never overlap. Tested in find-pii.test.ts.
 */
import type { Finding } from '../finding.ts'
import type { Matcher } from '../matcher.ts'
import { addressMatcher } from './addresses/addresses.ts'
import { nameMatcher } from './names/names.ts'
import { resolveOverlaps } from './resolve.ts'
import { structuredMatcher } from './structured.ts'

export const piiMatchers: readonly Matcher[] = [structuredMatcher, addressMatcher, nameMatcher]

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

/** Personal data in a text, in text order and without overlaps. Scores are 0..1. */
export function findPii(text: string, options: PiiOptions = {}): Finding[] {
  const { types, minScore = defaultMinScore, locales } = options
  const found: Finding[] = []
  for (const matcher of piiMatchersOf(types)) matcher.collect(text, 0, found)
  const isWanted = ({ type, score, country }: Finding): boolean =>
    score >= minScore &&
    (!types || types.includes(type)) &&
    (!locales || country === undefined || locales.includes(country))
  return resolveOverlaps(found.filter(isWanted))
}
