/**
 * The detectors with their options, each under a name: the findings in a text depend only on that name, the policy's
 * rules and the text. Tested in ../inspection/remembered-findings.test.ts.
 */
import type { CustomRecognizer } from './custom-entities.ts'
import {
  type Finding,
  findSensitive,
  type InjectionText,
  type InjectionThresholds,
  type ScanResult,
  scanInjection,
} from './detectors.ts'
import type { InjectionRules } from './injection-rules.ts'
import type { Look } from './memory/look.ts'
import { everyMatch, matchesIn, type Span } from './tenant-patterns.ts'

/** For instructions, in a text of this origin. */
export function injectionLook(
  { provenance, isAttached }: Omit<InjectionText, 'text'>,
  thresholds: InjectionThresholds,
  rules: InjectionRules,
): Look<ScanResult> {
  const from = { provenance, ...(isAttached && { isAttached }) }
  return {
    name: `injection ${provenance}${isAttached === true ? ' attached' : ''}`,
    find: (text) => scanInjection({ text, ...from }, thresholds, rules),
  }
}

/** For personal data and secrets. */
export function sensitiveLook(custom: readonly CustomRecognizer[]): Look<readonly Finding[]> {
  return { name: 'sensitive', find: (text) => findSensitive(text, custom) }
}

/** For a tenant's pattern, up to the number of matches that count. */
export function patternLook(pattern: string): Look<readonly Span[]> {
  return { name: `pattern ${pattern}`, find: (text) => matchesIn(text, pattern) }
}

/** For a tenant's pattern whose matches are to be removed. */
export function everyPatternLook(pattern: string): Look<readonly Span[]> {
  return { name: `every ${pattern}`, find: (text) => everyMatch(text, pattern) }
}
