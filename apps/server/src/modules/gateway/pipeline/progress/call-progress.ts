import type { ProblemError } from '../../../../kernel/errors/problem.ts'
import type { RequestStatus, StepRecord } from '../../schemas/request.ts'

/** Progress of a call through its steps, and the end it comes to. */
export interface CallProgress {
  readonly steps: StepRecord[]
  /** The last step that ended or was given up. A wait of one that was given up must change nothing when it ends. */
  readonly settled: number
  readonly error: ProblemError | null
  readonly blockedStep: { readonly n: number; readonly name: string } | null
  /** Stores the intent, unless that was begun before; resolves when it is stored. Null for a call without one. */
  readonly intent: (() => Promise<void>) | null
  readonly status: RequestStatus
}

export interface WithProgress {
  readonly progress: CallProgress
}

export function noProgress(): CallProgress {
  return { steps: [], settled: 0, error: null, blockedStep: null, intent: null, status: 'in_progress' }
}
