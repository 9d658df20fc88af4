import { ProblemError } from '../../../../kernel/errors/problem.ts'
import { failingOpen } from '../../call/failing-open.ts'
import { errors } from '../../errors.ts'
import type { Action } from '../../policy/document.ts'
import type { CallState } from '../call-state.ts'
import { blockedBy, note } from '../findings.ts'
import { remember } from '../remarks.ts'
import { failureProblem } from '../run.ts'
import { noteSentInClear } from '../sent-in-clear.ts'
import type { StoppingPiece } from './12-output-texts.ts'

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

/** Kept beside the steps that failed open: no text of the answer waited for its inspection. */
export const monitoredStream = 'monitored_stream'

/** Whether the answer leaves as it comes and is only looked at. */
export function isMonitored({ answer, policy }: CallState): boolean {
  return answer?.kind === 'stream' && policy.effective.streaming.mode === 'monitor'
}

/** Notes what was found in an answer. Where nothing was done, it is noted as what it would have been. */
export function recordHit(state: CallState, { entity, inClear = false, times = 1, ...hit }: OutputHit): void {
  const isDone = enforcedAction(state, hit.action) === hit.action
  if (hit.action === 'block' && !isDone) {
    blockedBy(state, 'output')
    state.monitored ??= { n: 12, name: 'output_inspection', code: errors.outputBlocked.code }
  }
  state.redacted ||= hit.action === 'redact' && isDone
  if (entity !== undefined) {
    state.piiDetected = true
    state.entities.set(entity, (state.entities.get(entity) ?? 0) + times)
  }
  const noted = isDone ? hit.action : hit.action === 'block' ? 'would_block' : 'flag'
  note(state, { ...hit, times, action: noted, step: 'output_inspection' })
  remember(state, { ...hit, times, ...(entity !== undefined && { entity }) })
  if (inClear) noteSentInClear(state, hit.rule, hit.location)
}

/** Says of an answer out of the cache what was said when it came. It is found again under the same rules only. */
export function recordToldHits(state: CallState): void {
  for (const hit of state.told?.found ?? []) recordHit(state, hit)
}

/** What is done: a policy that only watches blocks nothing, and what has left already cannot be changed. */
export function enforcedAction(state: CallState, action: Action): Action {
  if (isMonitored(state)) return action === 'allow' ? 'allow' : 'flag'
  return action === 'block' && state.policy.effective.mode !== 'enforce' ? 'flag' : action
}

/** Lets what could not be inspected pass where the policy says so. @throws ProblemError where it does not */
export function passUnseen(state: CallState, error: unknown): void {
  if (error instanceof ProblemError) throw error
  if (state.policy.effective.failure.output_inspection === 'closed') {
    state.withheldUnseen = true
    throw failureProblem('output_inspection', error)
  }
  state.failOpen.push('output_inspection')
}

/** Filters whose failure takes none of the text with it, where the policy lets it pass unseen. */
export function openly(state: CallState, make: () => readonly StoppingPiece[]): readonly StoppingPiece[] {
  const failed = (error: unknown): void => passUnseen(state, error)
  try {
    return make().map((piece) => ({
      blocked: () => piece.blocked(),
      ...(piece.looksOn && { looksOn: piece.looksOn }),
      ...failingOpen(piece, failed),
    }))
  } catch (error) {
    failed(error)
    return []
  }
}
