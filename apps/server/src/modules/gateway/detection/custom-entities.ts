import { type Finding, type ValueCheck, valueHolds } from '@parapet/detect'
import { matchesIn } from './tenant-patterns.ts'

/** An entity defined by a tenant: a pattern, and context words that increase confidence in a nearby value. */
export interface CustomRecognizer {
  readonly name: string
  readonly pattern: string
  readonly context: readonly string[]
  /** Confidence in a value without a context word nearby. */
  readonly confidence: number
  /** Check-digit validation of its values. */
  readonly validator?: ValueCheck | null
}

/** Characters before and after a value in which context words count. */
const contextReach = 64
/** Factor for the remaining doubt if a context word is nearby. */
const contextDoubt = 0.4

/** Values of the tenant's own entities in the text. Tested in injection-rules.test.ts. */
export function findCustom(text: string, recognizers: readonly CustomRecognizer[]): readonly Finding[] {
  return recognizers.flatMap((recognizer) =>
    matchesIn(text, recognizer.pattern)
      .filter(({ start, end }) => end > start && passes(recognizer, text.slice(start, end)))
      .map(({ start, end }): Finding => {
        const score = scoreOf(recognizer, nearby(text, start, end))
        return { detector: 'pii', type: recognizer.name, start, end, score }
      }),
  )
}

function passes({ validator = null }: CustomRecognizer, value: string): boolean {
  return validator === null || valueHolds(validator, value)
}

function nearby(text: string, start: number, end: number): string {
  return `${text.slice(Math.max(0, start - contextReach), start)} ${text.slice(end, end + contextReach)}`.toLowerCase()
}

function scoreOf({ context, confidence }: CustomRecognizer, around: string): number {
  const isNear = context.some((word) => around.includes(word.toLowerCase()))
  return isNear ? 1 - (1 - confidence) * contextDoubt : confidence
}
