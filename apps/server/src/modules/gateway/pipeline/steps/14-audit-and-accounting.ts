import { keepAnswer } from '../../cache/keep.ts'
import { errors } from '../../errors.ts'
import { countAfter } from '../../money/limits.ts'
import { countAnswer } from '../../routing/brake.ts'
import type { PipelineParts } from '../parts.ts'
import { allow, block, recordingStep, type Step } from '../step.ts'

/** Stores the outcome before the last byte leaves, then lets the answer be used again. Runs for every call. */
export function auditAndAccounting(parts: PipelineParts): Step {
  return {
    ...recordingStep,
    // Given up it might still be stored, and the caller would have been told that it is not.
    limitMs: null,
    onFailure: 'closed',
    run: async (state) => {
      const { status } = state
      try {
        if (status !== 'in_progress') await parts.recorder.outcome(state, status)
      } catch (error) {
        parts.kernel.log.error({ err: error, call: state.facts.id }, 'the outcome of a call could not be stored')
        return block(errors.auditUnavailable().causedBy(error))
      }
      countAfter(parts, state)
      parts.money.tokens.count(state)
      countAnswer(parts, state)
      keepAnswer(parts, state)
      return allow
    },
  }
}
