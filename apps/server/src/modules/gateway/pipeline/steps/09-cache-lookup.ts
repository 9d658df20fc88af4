import { canonicalHash } from '../../../../kernel/crypto/canonical-json.ts'
import { lookUp } from '../../cache/lookup.ts'
import { rulesFor } from '../../cache/question/vector-plan.ts'
import { callDeadlineMs } from '../../plan/deadline.ts'
import type { Step } from '../contract/step.ts'
import { allow } from '../progress/outcome.ts'
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
type Changed = 'plan' | 'money' | 'cached' | 'attempts' | 'answer' | 'timings'

/** Serves an answer that was given and inspected before, or makes this call one whose answer is kept. */
export function cacheLookup(parts: PipelineParts): Step<Reads, Changed> {
  return {
    n: 9,
    name: 'cache_lookup',
    budgetMs: 0.3,
    // It may wait for the answer of an equal call, so for a model.
    limitMs: callDeadlineMs,
    onFailure: 'open',
    run: (state) => {
      state.write({ plan: { promptSha256: canonicalHash(state.plan.call.turns) } })
      const rules = rulesFor(state)
      if (rules === null) return allow
      return lookUp(parts, state, rules).then(() => allow)
    },
  }
}
