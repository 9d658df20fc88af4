import { canonicalHash } from '../../../../kernel/crypto/canonical-json.ts'
import { lookUp } from '../../cache/lookup.ts'
import { rulesFor } from '../../cache/vector-plan.ts'
import { callDeadlineMs } from '../deadline.ts'
import type { PipelineParts } from '../parts.ts'
import { allow, type Step } from '../step.ts'

/** Serves an answer that was given and inspected before, or makes this call one whose answer is kept. */
export function cacheLookup(parts: PipelineParts): Step {
  return {
    n: 9,
    name: 'cache_lookup',
    budgetMs: 0.3,
    // It may wait for the answer of an equal call, so for a model.
    limitMs: callDeadlineMs,
    onFailure: 'open',
    run: (state) => {
      state.promptSha256 = canonicalHash(state.call.turns)
      const rules = rulesFor(state)
      if (rules === null) return allow
      return lookUp(parts, state, rules).then(() => allow)
    },
  }
}
