import type { WithAttempts } from '../attempts/call-attempts.ts'
import type { Writes } from '../call/writes.ts'
import type { WithFindings } from '../findings/call-findings.ts'
import { note } from '../findings/findings.ts'
import type { WithPlan } from '../plan/call-plan.ts'

/** Nothing is left out of a question without a trace. */
export function tellDropped(state: WithPlan & WithFindings & Writes<WithAttempts>, dropped: readonly string[]): void {
  state.write({ attempts: { dropped } })
  for (const location of dropped)
    note(state, { rule: 'dropped-parameter', step: 'upstream_call', category: 'unsupported', action: 'flag', location })
}
