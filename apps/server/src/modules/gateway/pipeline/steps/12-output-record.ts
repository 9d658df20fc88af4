import { ProblemError } from '../../../../kernel/errors/problem.ts'
import type { WithCache } from '../../cache/kept/call-cache.ts'
import type { WithAnswer } from '../../call/call-answer.ts'
import { failingOpen } from '../../call/texts/failing-open.ts'
import type { Writes } from '../../call/writes.ts'
import { errors } from '../../declared/errors.ts'
import type { WithFindings } from '../../findings/call-findings.ts'
import { blockedBy, countEntity, note, passOpen } from '../../findings/findings.ts'
import type { OutputHit } from '../../findings/output-hit.ts'
import { remember } from '../../findings/remarks.ts'
import { noteSentInClear } from '../../inspection/sent-in-clear.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import type { Action } from '../../policy/document.ts'
import { failureProblem } from '../progress/failure.ts'
import type { StoppingPiece } from './12-output-pieces.ts'

const here = { n: 12, name: 'output_inspection' } as const

/** A block of an answer. */
export function blockedAtOutput(error: ProblemError) {
  return { findings: { blockedAt: 'output' }, progress: { blockedStep: here, error } }
}

/** Whether the answer leaves as it comes and is only looked at. */
export function isMonitored({ answer: { flow: answer }, plan: { policy } }: WithPlan & WithAnswer): boolean {
  return answer?.kind === 'stream' && policy.effective.streaming.mode === 'monitor'
}

/** Records a finding in an answer. If no action was taken, it records the action that would have been. */
export function recordHit(state: WithPlan & WithFindings & WithAnswer & Writes<WithFindings>, told: OutputHit): void {
  const { entity, inClear = false, times = 1, ...hit } = told
  state.findings.hits?.add(told)
  const isDone = enforcedAction(state, hit.action) === hit.action
  if (hit.action === 'block' && !isDone) {
    blockedBy(state, 'output')
    const monitored = state.findings.monitored ?? { ...here, code: errors.outputBlocked.code }
    state.write({ findings: { monitored } })
  }
  if (hit.action === 'redact' && isDone) state.write({ findings: { redacted: true } })
  if (entity !== undefined) {
    state.write({ findings: { piiDetected: true } })
    countEntity(state, entity, times)
  }
  const noted = isDone ? hit.action : hit.action === 'block' ? 'would_block' : 'flag'
  note(state, { ...hit, times, action: noted, step: 'output_inspection' })
  remember(state, { ...hit, times, ...(entity !== undefined && { entity }) })
  if (inClear) noteSentInClear(state, hit.rule, hit.location)
}

/** Records for a cached answer the findings of its first inspection. It is served again under the same rules only. */
export function recordToldHits(state: WithPlan & WithFindings & WithCache & WithAnswer & Writes<WithFindings>): void {
  for (const hit of state.cached.told?.found ?? []) recordHit(state, hit)
}

/** The action taken: a monitoring policy blocks nothing, and text that has already left cannot be changed. */
export function enforcedAction(state: WithPlan & WithAnswer, action: Action): Action {
  if (isMonitored(state)) return action === 'allow' ? 'allow' : 'flag'
  return action === 'block' && state.plan.policy.effective.mode !== 'enforce' ? 'flag' : action
}

/** Lets uninspected content pass if the policy fails open. @throws ProblemError if it does not */
export function passUnseen(state: WithPlan & WithFindings & Writes<WithFindings>, error: unknown): void {
  if (error instanceof ProblemError) throw error
  if (state.plan.policy.effective.failure.output_inspection === 'closed') {
    state.write({ findings: { withheldUnseen: true } })
    throw failureProblem('output_inspection', error)
  }
  passOpen(state, 'output_inspection')
}

/** Filters that lose no text when they fail, if the policy lets it pass uninspected. */
export function openly(
  state: WithPlan & WithFindings & Writes<WithFindings>,
  make: () => readonly StoppingPiece[],
): readonly StoppingPiece[] {
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
