import type { Finding } from './detectors.ts'
import type { Span } from './tenant-patterns.ts'

export type SensitiveFinder = (text: string) => readonly Finding[]
/** Where a pattern of the policy stands in a text of the call. */
export type PatternFinder = (text: string, pattern: string) => readonly Span[]

export interface PatternSearch {
  /** Finds all that the patterns match in texts, to take it out. @throws Error when the thread could not do it */
  everyPattern(patterns: readonly string[], texts: readonly string[]): PatternFinder | Promise<PatternFinder>
}
