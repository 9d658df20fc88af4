/**
 * Personal data by shape, check digits and context words.
 * Promises linear time and findings that never overlap; does not find names, addresses or national identifiers.
 * Tested in find-pii.test.ts.
 */
import { disjoint, type Finding } from '../finding.ts'
import type { Matcher } from '../matcher.ts'
import { card } from './card.ts'
import { email } from './email.ts'
import { iban } from './iban.ts'
import { phone } from './phone.ts'

export const piiMatchers: readonly Matcher[] = [email, card, iban, phone]

export interface PiiOptions {
  /** Types to look for; all when absent. */
  readonly types?: readonly string[]
  /** Findings below this score are left out. Default 0.5. */
  readonly minScore?: number
}

export const defaultMinScore = 0.5

/** EMAIL, CREDIT_CARD, PHONE and IBAN in a text, in text order and without overlaps. */
export function findPii(text: string, { types, minScore = defaultMinScore }: PiiOptions = {}): Finding[] {
  const found: Finding[] = []
  for (const matcher of piiMatchers) {
    if (!types || matcher.types.some((type) => types.includes(type))) matcher.collect(text, 0, found)
  }
  return disjoint(found.filter((finding) => finding.score >= minScore))
}
