import type { CallText } from '../call/texts/texts.ts'
import type { ScanResult } from './detectors.ts'
import type { TextToScan } from './joined-texts.ts'
import type { KnownFindings } from './memory/known-findings.ts'

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
  readonly known: KnownFindings
  /** Over when a thread has looked at what was not known; null when none does. */
  scan: Promise<void> | null
}
