import { keepAnswer } from '../../cache/keep.ts'
import { errors } from '../../declared/errors.ts'
import { countAfter } from '../../money/limits.ts'
import { countAnswer } from '../../routing/brake.ts'
import type { Step } from '../contract/step.ts'
import { allow, block } from '../progress/outcome.ts'
import { recordingStep } from '../progress/step-record.ts'
import type { PipelineParts } from './parts.ts'

type Reads =
  | 'facts'
  | 'life'
  | 'plan'
  | 'money'
  | 'findings'
  | 'cached'
  | 'attempts'
  | 'answer'
  | 'timings'
  | 'progress'
type Changed = 'plan' | 'cached'

/** Stores the outcome before the last byte leaves, then lets the answer be used again. Runs for every call. */
export function auditAndAccounting(parts: PipelineParts): Step<Reads, Changed> {
  return {
    ...recordingStep,
    // Given up it might still be stored, and the caller would have been told that it is not.
    limitMs: null,
    onFailure: 'closed',
    run: async (state) => {
      const {
        progress: { status },
      } = state
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
