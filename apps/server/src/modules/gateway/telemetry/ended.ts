import type { WithAttempts } from '../attempts/call-attempts.ts'
import type { WithFindings } from '../findings/call-findings.ts'
import type { WithProgress } from '../pipeline/progress/call-progress.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import type { Target } from '../providers/provider.ts'
import { clientClosedCode, decisionOf } from '../records/row.ts'
import type { Decision, RequestStatus } from '../schemas/request.ts'

export type EndStatus = Exclude<RequestStatus, 'in_progress'>

export interface End {
  readonly status: EndStatus
  readonly decision: Decision
  /** Code of the error that the caller got instead of an answer. */
  readonly error: string | null
  /** Whether it went wrong; refusals are the gateway's purpose, and a client is free to leave. */
  readonly failed: boolean
}

export function endOf(state: WithFindings & WithProgress): End {
  const status = statusOf(state)
  return {
    status,
    decision: decisionOf(state, status),
    error: status === 'client_closed' ? clientClosedCode : (state.progress.error?.code ?? null),
    failed: status === 'failed' || status === 'incomplete',
  }
}

/** The status was settled before its storing, which may have failed. */
function statusOf({ progress: { status, error } }: WithProgress): EndStatus {
  if (status === 'in_progress') return 'failed'
  return status === 'completed' && error !== null ? 'failed' : status
}

/** The target that answered, or the first that would have been asked. */
export function targetOf({ attempts: { served }, plan: { targets } }: WithPlan & WithAttempts): Target | null {
  return served ?? targets[0] ?? null
}
