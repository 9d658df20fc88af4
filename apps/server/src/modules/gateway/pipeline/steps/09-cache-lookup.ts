import { canonicalHash } from '../../../../kernel/crypto/canonical-json.ts'
import { lookUp } from '../../cache/lookup.ts'
import { cacheRules, defaultSettings } from '../../cache/rules.ts'
import { isOffline } from '../../providers/provider.ts'
import type { CallState } from '../call-state.ts'
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
      const { policy, snapshot, route, facts } = state
      const rules = cacheRules({
        policy: policy.effective.cache,
        settings: snapshot.cache ?? defaultSettings,
        route: route?.cache ?? null,
        asked: facts.asked.cache,
      })
      if (rules.mode === 'off' || !isWorthKeeping(state, rules.maxTemperature)) return allow
      return lookUp(parts, state, rules).then(() => allow)
    },
  }
}

/** Vectors are no answers, and the demo's cost nothing. A provider's default temperature is 1. */
function isWorthKeeping({ call, targets }: CallState, maxTemperature: number): boolean {
  if (call.embed !== null || targets.some(({ provider }) => isOffline(provider))) return false
  return (call.temperature ?? 1) <= maxTemperature
}
