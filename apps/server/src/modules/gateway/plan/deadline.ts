import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { WithFacts } from '../call/facts.ts'
import { errors } from '../declared/errors.ts'
import { UpstreamFault } from '../providers/fault.ts'
import type { WithPlan } from './call-plan.ts'

/** Milliseconds the call may take in all: the policy's, or less when the caller wants less. */
export function callDeadlineMs({ plan: { policy }, facts }: WithFacts & WithPlan): number {
  const { total_timeout_ms: most } = policy.effective.upstream
  return Math.min(most, facts.asked.timeoutMs ?? most)
}

/**
 * The problem of a call that ran out of time. The policy's timeout is more than any answer should take, so exceeding it
 * is a fault of the target; a caller with less patience says nothing about the provider.
 */
export function deadlineProblem({ plan: { policy }, facts }: WithFacts & WithPlan): ProblemError {
  const { total_timeout_ms: most } = policy.effective.upstream
  const problem = errors.upstreamTimeout({ which: 'total' })
  const isImpatient = (facts.asked.timeoutMs ?? most) < most
  return isImpatient ? problem : problem.causedBy(new UpstreamFault('timeout', 'total'))
}

/** The fault of the target that was being asked when the call ended with this error; null if it was not at fault. */
function faultBehind(error: unknown): UpstreamFault | null {
  return error instanceof ProblemError && error.cause instanceof UpstreamFault ? error.cause : null
}

/**
 * Fault of the target that was still being asked when the call ended with this error. A target that was asked late,
 * after others, and had less than half of the call's time is not at fault for not having answered.
 */
export function faultOfLast(state: WithFacts & WithPlan, error: unknown, askedForMs: number): UpstreamFault | null {
  return askedForMs < callDeadlineMs(state) / 2 ? null : faultBehind(error)
}
