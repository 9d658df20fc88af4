/**
 * Detector findings in the texts of a call. A separate task, so that large texts are scanned in a thread and do not
 * delay other calls. Tested in ../live/look-ahead.test.ts.
 */
import {
  type CustomerPattern,
  compilePattern,
  createDetector,
  type Detector,
  type Finding,
  findPii,
  findSecrets,
} from '@parapet/detect'
import type { ThreadTask } from '../../../../kernel/threads/thread-task.ts'
import type { EvaluationContext, GuardedText } from './context.ts'

export const allDetectors = ['pii', 'secret', 'injection'] as const
export type DetectorName = (typeof allDetectors)[number]

/** Detectors and patterns that are needed. */
export interface Looks {
  readonly detectors: readonly DetectorName[]
  readonly patterns: readonly string[]
}

/** A place in a text, in UTF-16 code units. */
export interface Place {
  readonly start: number
  readonly end: number
}

type Stage = EvaluationContext['stage']

let built: Detector | undefined

/** Builds the detector of injections at its first use: a fifth of a second. */
function injectionDetector(): Detector {
  built ??= createDetector()
  return built
}

/** Type of the finding that stands for a whole text. */
export const scoreType = 'score'
const wholeText = (text: string) => ({ detector: 'injection' as const, type: scoreType, start: 0, end: text.length })

export function lookFor(detector: DetectorName, { text, channel }: GuardedText, stage: Stage): readonly Finding[] {
  if (detector === 'pii') return findPii(text, { minScore: 0 })
  if (detector === 'secret') return findSecrets(text)
  const from = channel ?? (stage === 'output' ? 'model_output' : 'user')
  const { score, findings } = injectionDetector().scanPrompt(text, { channel: from })
  // The score of the whole text stands beside its findings, because no finding alone has it.
  return score > 0 ? [...findings, { ...wholeText(text), score }] : findings
}

const mostPlaces = 1_000

export const placesOf = (pattern: CustomerPattern, text: string): readonly Place[] =>
  pattern.findAll(text, mostPlaces).matches.flatMap(({ start, end }) => (start < end ? [{ start, end }] : []))

export function mergedLooks(looks: readonly Looks[]): Looks {
  return {
    detectors: [...new Set(looks.flatMap(({ detectors }) => detectors))],
    patterns: [...new Set(looks.flatMap(({ patterns }) => patterns))],
  }
}

export interface TextsToLookAt extends Looks {
  readonly texts: readonly GuardedText[]
  readonly stage: Stage
}

/** In the order of the detectors and of the patterns, then of the texts. */
export interface Seen {
  readonly findings: readonly (readonly (readonly Finding[])[])[]
  readonly matches: readonly (readonly (readonly Place[])[])[]
}

export const lookTask: ThreadTask<TextsToLookAt, Seen> = {
  name: 'aegis.guardrails.look',
  run: ({ texts, stage, detectors, patterns }, { stopped }) => {
    const each = <T>(look: (text: GuardedText) => T): readonly T[] =>
      texts.map((text) => {
        if (stopped()) throw new Error('Nobody waits for the texts any more')
        return look(text)
      })
    return {
      findings: detectors.map((detector) => each((text) => lookFor(detector, text, stage))),
      matches: patterns.map((source) => {
        const pattern = patternOf(source)
        return each(({ text }) => placesOf(pattern, text))
      }),
    }
  },
}

function patternOf(source: string): CustomerPattern {
  const compiled = compilePattern(source)
  if (!compiled.ok) throw new TypeError(`A pattern that was compiled before is refused: ${compiled.reason}`)
  return compiled.pattern
}
