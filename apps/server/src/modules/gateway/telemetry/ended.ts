import type { CallState } from '../pipeline/call-state.ts'
import type { Target } from '../providers/provider.ts'
import { clientClosedCode, decisionOf } from '../records/row.ts'
import type { Decision, RequestStatus } from '../schemas/request.ts'

export type EndStatus = Exclude<RequestStatus, 'in_progress'>

export interface End {
  readonly status: EndStatus
  readonly decision: Decision
  /** Code of what the caller got instead of an answer. */
  readonly error: string | null
  /** It went wrong; a refusal is what the gateway is for, and a client that leaves is free to. */
  readonly failed: boolean
}

export function endOf(state: CallState): End {
  const status = statusOf(state)
  return {
    status,
    decision: decisionOf(state, status),
    error: status === 'client_closed' ? clientClosedCode : (state.error?.code ?? null),
    failed: status === 'failed' || status === 'incomplete',
  }
}

/** The status was settled before its storing, which may have failed. */
function statusOf({ status, error }: CallState): EndStatus {
  if (status === 'in_progress') return 'failed'
  return status === 'completed' && error !== null ? 'failed' : status
}

/** Who answered, or who would have been asked. */
export function targetOf({ served, targets }: CallState): Target | null {
  return served ?? targets[0] ?? null
}
