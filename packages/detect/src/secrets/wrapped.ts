/**
 * Secrets inside base64: the run is reported, with `via`, when its text holds a secret.
 * Tested in find-secrets.test.ts.
 */
import type { Finding } from '../base/finding.ts'
import type { Matcher } from '../base/matcher.ts'
import { eachBase64Text } from '../text/bytes/base64-runs.ts'
import { triggered } from './trigger-scan.ts'

const shortest = 24
/** A guess below this, made on decoded text, is not worth a finding. */
const minInner = 0.7

export const wrapped: Matcher = {
  types: ['connection_string'],
  marked: true,
  collect: (text, from, found) =>
    eachBase64Text(text, { from, shortest }, ({ text: inner, start, end }) => {
      const best = secretIn(inner)
      if (best) found.push({ ...best, start, end, via: ['base64'] })
    }),
}

/** The surest secret of a decoded text. */
export function secretIn(text: string): Finding | undefined {
  const found: Finding[] = []
  triggered.collect(text, 0, found)
  return found
    .filter(({ score }) => score >= minInner)
    .reduce<Finding | undefined>((best, each) => (best && best.score >= each.score ? best : each), undefined)
}
