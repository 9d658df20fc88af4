import type { ProblemError } from '../../../../kernel/errors/problem.ts'
import type { HoldingPiece } from '../../call/texts/failing-open.ts'
import type { OutputHit } from '../../findings/output-hit.ts'

export interface Stop {
  /** Set by the first block; nothing leaves after it. */
  stopped: boolean
  /** What the author of the rule wants said. */
  message: string | null
  /** What the caller gets in the place of the rest. */
  problem: ProblemError | null
}

/** A filter of one text; what it is given after its block is lost. */
export interface StoppingPiece extends HoldingPiece {
  blocked(): boolean
  /** Lets everything go as it comes, and may tell of it later. */
  readonly looksOn?: true
}

export type Recorder = (hit: OutputHit) => void

export interface Place {
  readonly location: string
  readonly record: Recorder
}
