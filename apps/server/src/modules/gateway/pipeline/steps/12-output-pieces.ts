import type { ProblemError } from '../../../../kernel/errors/problem.ts'
import type { HoldingPiece } from '../../call/texts/failing-open.ts'
import type { OutputHit } from '../../findings/output-hit.ts'

export interface Stop {
  /** Set by the first block; nothing leaves after it. */
  stopped: boolean
  /** Message of the rule's author. */
  message: string | null
  /** Problem that the caller gets in place of the rest. */
  problem: ProblemError | null
}

/** A filter of one text; input after its block is lost. */
export interface StoppingPiece extends HoldingPiece {
  blocked(): boolean
  /** Releases everything as it arrives and may report it later. */
  readonly looksOn?: true
}

export type Recorder = (hit: OutputHit) => void

export interface Place {
  readonly location: string
  readonly record: Recorder
}
