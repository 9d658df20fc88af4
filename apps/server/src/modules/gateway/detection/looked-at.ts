import type { CallText } from '../call/texts/texts.ts'
import type { Finding, ScanResult } from './detectors.ts'
import type { TextToScan } from './joined-texts.ts'
import type { Span } from './tenant-patterns.ts'

export interface ScannedText {
  readonly piece: TextToScan
  readonly result: ScanResult
}

/**
 * Texts of a call for the detectors, in its state. A weak map beside it would do as well, and hold the whole state until the
 * next full collection.
 */
export interface LookedAt {
  readonly texts: readonly CallText[]
  scan: Promise<Scan> | null
}

export interface Scan {
  readonly injection: readonly ScannedText[]
  readonly known: Known
  readonly matches: Matches
}

export type Known = ReadonlyMap<string, readonly Finding[]>
export type Matches = ReadonlyMap<string, ReadonlyMap<string, readonly Span[]>>
