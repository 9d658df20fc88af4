/**
 * Plan of the cache lookup for a call, as far as it is known before the lookup: the rules, and the embedding request
 * (model and size) for the question's vector. That request is charged like the call itself, so it must be known when
 * money is reserved. Pure. Tested in vector-money.test.ts.
 */

import { ProblemError } from '../../../../kernel/errors/problem.ts'
import type { WithFacts } from '../../call/facts.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import { targetRefusal } from '../../plan/target-refusal.ts'
import { resolveTargets } from '../../plan/targets.ts'
import { isOffline, type Target } from '../../providers/provider.ts'
import { longestText } from './guard.ts'
import { questionIn } from './partition.ts'
import { type CacheRules, cacheRules, defaultSettings } from './rules.ts'

/** Null for a call that neither reads from the cache nor stores its answer there. */
export function rulesFor(state: WithFacts & WithPlan): CacheRules | null {
  const {
    plan: { policy, snapshot, route },
    facts,
  } = state
  const rules = cacheRules({
    policy: policy.effective.cache,
    settings: snapshot.cache ?? defaultSettings,
    route: route?.cache ?? null,
    asked: facts.asked.cache,
  })
  return rules.mode === 'off' || !isWorthKeeping(state, rules.maxTemperature) ? null : rules
}

/** Vectors are not answers, and the demo provider's answers are free. A provider's default temperature is 1. */
function isWorthKeeping({ plan: { call, targets } }: WithPlan, maxTemperature: number): boolean {
  if (call.embed !== null || targets.some(({ provider }) => isOffline(provider))) return false
  return (call.temperature ?? 1) <= maxTemperature
}

export interface VectorPlan {
  readonly target: Target
  /** Maximum tokens of the question, however much of it is redacted before it is sent. */
  readonly tokensAtMost: number
}

/** Null when no vector will be requested. */
export function vectorPlan(state: WithFacts & WithPlan): VectorPlan | null {
  const rules = rulesFor(state)
  if (rules === null || rules.mode !== 'semantic' || rules.embeddingModel === null) return null
  const last = state.plan.call.turns.at(-1)
  const text = last === undefined ? null : questionIn(last)
  const target = text === null ? null : embeddingTarget(state, rules.embeddingModel)
  if (text === null || target === null) return null
  return { target, tokensAtMost: Math.min(Buffer.byteLength(text), longestBytes) + room }
}

/**
 * A longer question is not read, so no vector is requested for it. A character is at most three bytes; a surrogate pair
 * is four.
 */
const longestBytes = longestText * 3
/**
 * One token per byte, plus some: twice the count of ordinary text, because the placeholder of a short value is longer
 * than the value.
 */
const room = 64

/** Null if it no longer exists, or if a policy of the call does not allow it. */
export function embeddingTarget({ plan: { snapshot, policy } }: WithPlan, model: string): Target | null {
  try {
    const [target] = resolveTargets(snapshot.providers, { provider: null, model })
    return target === undefined || targetRefusal(target, policy.effective) !== null ? null : target
  } catch (error) {
    // It existed when the settings were saved.
    if (error instanceof ProblemError) return null
    throw error
  }
}
