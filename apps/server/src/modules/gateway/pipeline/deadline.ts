import type { CallState } from './call-state.ts'

/** Milliseconds the call may take in all: the policy's, or less when the caller wants less. */
export function callDeadlineMs({ policy, facts }: CallState): number {
  const { total_timeout_ms: most } = policy.effective.upstream
  return Math.min(most, facts.asked.timeoutMs ?? most)
}
