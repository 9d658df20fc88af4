import { Aborter } from '../../../kernel/base/abort.ts'
import type { RunningQuestion } from './running-calls.ts'

/** Lifecycle of a call: its abort signal, and the cleanup at its end. */
export interface CallLife {
  /** Aborts the call wherever it waits; its reason is the problem the caller gets. */
  readonly abort: Aborter
  /** Run in reverse order when the call is over. */
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
