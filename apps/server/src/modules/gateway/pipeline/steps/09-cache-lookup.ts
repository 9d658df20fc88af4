import { canonicalHash } from '../../../../kernel/crypto/canonical-json.ts'
import { isOffline } from '../../providers/provider.ts'
import type { CallState } from '../call-state.ts'
import type { PipelineParts } from '../parts.ts'
import { allow, type Step, type StepOutcome } from '../step.ts'

/** Serves an equal, already inspected answer, or makes this call the one whose answer is kept. */
export function cacheLookup(parts: PipelineParts): Step {
  return {
    n: 9,
    name: 'cache_lookup',
    budgetMs: 0.3,
    onFailure: 'open',
    run: (state) => {
      state.promptSha256 = canonicalHash(state.call.turns)
      if (!mayUseCache(state)) return allow
      const key = keyOf(state)
      if (state.facts.asked.cache?.mode !== 'refresh') return look(parts, state, key)
      parts.cache.claim(state.facts.tenantId, key)
      begin(parts, state, key)
      return allow
    },
  }
}

async function look(parts: PipelineParts, state: CallState, key: string): Promise<StepOutcome> {
  const maxAge = state.facts.asked.cache?.maxAgeS ?? null
  const found = await parts.cache.find(
    state.facts.tenantId,
    key,
    maxAge === null ? null : maxAge * 1000,
    state.abort.signal,
  )
  if (found.kind === 'miss') {
    begin(parts, state, key)
    return allow
  }
  const served = state.targets.find(
    ({ provider, model }) => provider.name === found.answer.provider && model === found.answer.model,
  )
  state.cache = found.kind
  state.served = served ?? null
  state.answer = { kind: 'whole', events: found.answer.events }
  return allow
}

function begin(parts: PipelineParts, state: CallState, key: string): void {
  state.cache = 'miss'
  state.cacheKey = key
  state.awaited = () => parts.cache.isAwaited(state.facts.tenantId, key)
  // Whatever becomes of the call, those who wait for it must not wait for ever; settling twice changes nothing.
  state.cleanups.push(() => parts.cache.settle(state.facts.tenantId, key, null))
}

function mayUseCache({ policy, call, facts, targets }: CallState): boolean {
  const { cache } = policy.effective
  if (cache.mode === 'off' || facts.asked.cache?.mode === 'off') return false
  // A provider's default temperature is 1.
  if ((call.temperature ?? 1) > cache.max_temperature) return false
  return !targets.some(({ provider }) => isOffline(provider))
}

/** The partition is part of the hash: another tenant, caller, set of rules or target is another key. */
function keyOf({ policy, call, facts, targets }: CallState): string {
  const { tenantId, actor } = facts
  const { scope } = policy.effective.cache
  const who = { tenant: 'all', role: actor.roles.join(), user: actor.userId, key: actor.keyId ?? actor.userId }[scope]
  const { metadata: _, ...asked } = call
  const places = targets.map(({ provider, model }) => `${provider.id}/${model}`)
  return `answer:${canonicalHash({ tenantId, scope, who, rules: policy.sha256, places, asked })}`
}
