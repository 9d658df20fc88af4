/** Detectors as checks: the findings that count, and their places. Tested in checks.test.ts. */
import { compilePattern, type Finding } from '@parapet/detect'
import type { CheckOf } from '../declared/checks-schema.ts'
import type { Facts, Found, Span } from './facts.ts'
import { type Looks, placesOf } from './look.ts'
import { GuardrailRefusal } from './refusal.ts'

/** Confidence from which a finding counts where the check does not say it. */
const usualScore = { injection: 0.9, pii: 0.5, secret: 0 } as const

/** Places of the findings; a check holds where there is one. */
export type SpanFinder = (facts: Facts) => readonly Span[]

export interface CompiledDetector {
  readonly looks: Looks
  readonly find: SpanFinder
  readonly holds: (facts: Facts) => boolean
}

/** @throws GuardrailRefusal */
export function compileDetector(check: CheckOf<'detector'>, pointer: string): CompiledDetector {
  const { detector, types, pattern } = check
  if (detector === 'pattern') return patternDetector(pattern, pointer)
  if (pattern !== undefined)
    throw new GuardrailRefusal('form', `${pointer}/pattern`, 'Only the detector `pattern` takes a pattern.')
  const wanted = types === undefined ? null : new Set(types)
  const least = check.min_score ?? usualScore[detector]
  const find: SpanFinder = (facts) =>
    facts.found(detector).flatMap((found) => {
      const counted = found.findings.filter(
        ({ type, score }) => score >= least && (wanted === null || wanted.has(type)),
      )
      return detector === 'injection' && !isCertain(found, counted) ? [] : spansOf(found, counted)
    })
  return { find, holds: (facts) => find(facts).length > 0, looks: { detectors: [detector], patterns: [] } }
}

const dataChannels: ReadonlySet<string | undefined> = new Set(['tool_result', 'tool_description', 'document'])

/** A score alone never decides about data that no person typed: a rule has to match, too. */
function isCertain({ text }: Found, findings: readonly Finding[]): boolean {
  return !dataChannels.has(text.channel) || findings.some(({ rule }) => rule !== undefined)
}

const spansOf = ({ text: { location } }: Found, findings: readonly Finding[]): readonly Span[] =>
  findings.map(({ start, end }) => ({ location, start, end }))

function patternDetector(source: string | undefined, pointer: string): CompiledDetector {
  if (source === undefined)
    throw new GuardrailRefusal('form', `${pointer}/pattern`, 'The detector `pattern` needs a pattern.')
  const compiled = compilePattern(source)
  if (!compiled.ok)
    throw new GuardrailRefusal('cost', `${pointer}/pattern`, `The pattern cannot be used. ${compiled.reason}`)
  if (compiled.pattern.matchesEmptyText)
    throw new GuardrailRefusal(
      'form',
      `${pointer}/pattern`,
      'The pattern matches the empty text, so it matches everywhere.',
    )
  const { pattern } = compiled
  const find: SpanFinder = (facts) => {
    const known = facts.knownMatches(source)
    return facts.texts.flatMap(({ location, text }, n) =>
      (known?.[n] ?? placesOf(pattern, text)).map(({ start, end }) => ({ location, start, end })),
    )
  }
  const holds = (facts: Facts): boolean => {
    const known = facts.knownMatches(source)
    return facts.texts.some(({ text }, n) => {
      const places = known?.[n]
      return places === undefined ? pattern.test(text) : places.length > 0
    })
  }
  return { find, holds, looks: { detectors: [], patterns: [source] } }
}
