/**
 * Credentials: by the format their issuer gives them, by the name they stand under, inside addresses and base64.
 * Promises linear time, no overlaps and that no finding carries the value. Tested in find-secrets.test.ts.
 */
import { disjoint, type Finding } from '../base/finding.ts'
import type { Matcher } from '../base/matcher.ts'
import { triggered } from './trigger-scan.ts'
import { secretIn, wrapped } from './wrapped.ts'

export interface SecretOptions {
  /** Findings below this score are left out. Default 0.5. */
  readonly minScore?: number
  /** Texts that stood encoded in the text, with the range they were found at and how they were decoded. */
  readonly decoded?: readonly DecodedText[]
}

export interface DecodedText {
  readonly text: string
  /** Range of the encoded text in the original text, UTF-16. */
  readonly start: number
  readonly end: number
  readonly via: readonly string[]
}

const defaultMinScore = 0.5

/** Secrets in a text, in text order and without overlaps. */
export function findSecrets(text: string, { minScore = defaultMinScore, decoded = [] }: SecretOptions = {}): Finding[] {
  const found: Finding[] = []
  for (const matcher of secretMatchers) matcher.collect(text, 0, found)
  for (const { text: inner, start, end, via } of decoded) {
    const secret = secretIn(inner)
    if (secret) found.push({ ...secret, start, end, via })
  }
  return disjoint(found.filter(({ score }) => score >= minScore)).map((finding) => ({
    ...finding,
    evidence: masked(text, finding),
  }))
}

/** For a short value the last four characters would be a good part of it. */
const masked = (text: string, { start, end }: Finding): string =>
  end - start >= 16 ? `\u2026${text.slice(end - 4, end)}` : '\u2026'

export const secretMatchers: readonly Matcher[] = [triggered, wrapped]
