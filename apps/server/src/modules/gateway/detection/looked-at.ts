import type { CallText } from '../call/texts/texts.ts'
import type { ScanResult } from './detectors.ts'
import type { TextToScan } from './joined-texts.ts'
import type { KnownFindings } from './memory/known-findings.ts'

export interface ScannedText {
  readonly piece: TextToScan
  readonly result: ScanResult
}

/**
 * Texts of a call for the detectors, in its state. A separate weak map would work as well, but hold the whole state
 * until the next full collection.
 */
export interface LookedAt {
  readonly texts: readonly CallText[]
  readonly known: KnownFindings
  /** Resolves when a thread has inspected the unknown texts; null if none does. */
  scan: Promise<void> | null
}
