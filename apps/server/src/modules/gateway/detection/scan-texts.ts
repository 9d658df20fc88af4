import type { ThreadTask } from '../../../kernel/threads/thread-task.ts'
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
import { everyMatch, matchesIn, type Span } from './tenant-patterns.ts'

/** Texts to inspect; an empty list skips that inspection. */
export interface TextsToScan {
  readonly injection: readonly InjectionText[]
  readonly thresholds: InjectionThresholds
  readonly rules: InjectionRules
  readonly sensitive: readonly string[]
  readonly custom: readonly CustomRecognizer[]
  /** Patterns to look for in the texts of `matched`. */
  readonly patterns: readonly string[]
  readonly matched: readonly string[]
  /** All matches, not only the limited number needed for a decision. */
  readonly every?: true
}

/** In the order of the texts. */
export interface ScannedTexts {
  readonly injection: readonly ScanResult[]
  readonly sensitive: readonly (readonly Finding[])[]
  /** By text of `matched`, then by pattern. */
  readonly matches: readonly (readonly (readonly Span[])[])[]
}

/** All detectors over the texts of one call. */
export const scanTexts: ThreadTask<TextsToScan, ScannedTexts> = {
  name: 'detect.scan',
  run: ({ injection, thresholds, rules, sensitive, custom, patterns, matched, every }, { stopped }) => {
    const unlessStopped = <T, R>(look: (text: T) => R) => {
      return (text: T): R => {
        if (stopped()) throw new Error('Nobody waits for the texts any more')
        return look(text)
      }
    }
    const find = every === true ? everyMatch : matchesIn
    return {
      injection: injection.map(unlessStopped((piece) => scanInjection(piece, thresholds, rules))),
      sensitive: sensitive.map(unlessStopped((text) => findSensitive(text, custom))),
      matches: matched.map(unlessStopped((text) => patterns.map((pattern) => find(text, pattern)))),
    }
  },
}
