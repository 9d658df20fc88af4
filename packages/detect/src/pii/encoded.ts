/**
 * E-mail addresses and card numbers inside base64: the run is reported, with `via`. Tested in respelled.test.ts.
 */
import type { Finding } from '../base/finding.ts'
import type { Matcher } from '../base/matcher.ts'
import { eachBase64Text } from '../text/bytes/base64-runs.ts'
import { structuredMatcher } from './structured.ts'

/** A card number of 16 digits has 22 characters. */
const shortest = 20
/** Less sure values of a decoded text are not worth a finding. */
const leastScore = 0.8
const types: readonly string[] = ['EMAIL', 'CREDIT_CARD']

export const encodedMatcher: Matcher = {
  types,
  marked: true,
  collect: (text, from, found, effort) =>
    eachBase64Text(text, { from, shortest }, ({ text: inner, start, end }) => {
      // Hexadecimal numbers and words are base64 as well; their decoded forms hold neither an `@` nor many digits.
      if (!/@|\d.{0,8}\d.{0,8}\d/s.test(inner)) return
      const values: Finding[] = []
      structuredMatcher.collect(inner, 0, values, effort)
      const [best] = values
        .filter(({ type, score }) => score >= leastScore && types.includes(type))
        .sort((one, other) => other.score - one.score)
      if (best !== undefined) found.push({ ...best, start, end, via: ['base64'] })
    }),
}
