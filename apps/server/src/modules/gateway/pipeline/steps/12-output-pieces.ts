import type { ProblemError } from '../../../../kernel/errors/problem.ts'
import type { HoldingPiece } from '../../call/texts/failing-open.ts'
import type { Action } from '../../policy/document.ts'

export interface OutputHit {
  readonly rule: string
  readonly category: string
  readonly action: Action
  readonly location: string
  /** An entity was found: what kind. */
  readonly entity?: string
  /** The provider was sent the same value, which the policy hides. */
  readonly inClear?: boolean
  /** What its author wants said. */
  readonly message?: string | null
  /** How often it was found; once when absent. */
  readonly times?: number
}

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
