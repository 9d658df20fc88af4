import { Aborter } from '../../../kernel/base/abort.ts'
import type { RunningQuestion } from './running-calls.ts'

/** Ends of a call: the one from outside, and the work to undo at its own. */
export interface CallLife {
  /** Ends the call wherever it waits; its reason is the problem the caller gets. */
  readonly abort: Aborter
  /** Undone when the call is over, in reverse order. */
  readonly cleanups: (() => void)[]
  /** Questions to targets that are running. */
  readonly questions: Set<RunningQuestion>
}

export interface WithLife {
  readonly life: CallLife
}

export function newLife(): CallLife {
  return { abort: new Aborter(), cleanups: [], questions: new Set() }
}
