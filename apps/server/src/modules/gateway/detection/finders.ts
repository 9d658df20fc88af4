import type { Finding } from './detectors.ts'
import type { Span } from './tenant-patterns.ts'

export type SensitiveFinder = (text: string) => readonly Finding[]
/** Positions of a policy's pattern in a text of the call. */
export type PatternFinder = (text: string, pattern: string) => readonly Span[]
