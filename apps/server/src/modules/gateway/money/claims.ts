/**
 * Maximum cost of a call for each of its budgets: the answer, earlier targets that were asked in vain, and the vector
 * for the cache. Tested in charging.test.ts, several-targets.test.ts and vector-money.test.ts.
 */

import { type Budget, type Caller, covers } from '../budgets/budget.ts'
import type { VectorPlan } from '../cache/question/vector-plan.ts'
import type { WithFacts } from '../call/facts.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { withinLimits } from '../plan/limits.ts'
import type { Nano } from '../prices/amounts.ts'
import { worstCost } from '../prices/cost.ts'
import { isOffline, type Target } from '../providers/provider.ts'
import { boundOutput, countInput } from '../tokens/bounds.ts'
import type { ExactCounts } from '../tokens/exact-counts.ts'
import type { WithMoney } from './call-money.ts'

/** Whether the budget pays for questions to the target. */
export const isCovered = (budget: Budget, caller: Caller, target: Target): boolean =>
  !isOffline(target.provider) && covers(budget, caller, target)

/** The price of a target in a currency; other currencies cannot be compared with a budget and count as no price. */
export function priceIn(state: WithFacts & WithMoney, target: Target, currency: string) {
  const price = state.money.prices?.find(target, state.facts.startedAt) ?? null
  return price !== null && price.sheet.currency === currency ? price : null
}

export interface Claiming {
  readonly budget: Budget
  readonly caller: Caller
  /** Null unless the upper bound was refused. */
  readonly exact: ExactCounts | null
  /** Null if no vector will be requested. */
  readonly vector: VectorPlan | null
}

/** Null if the budget does not cover the call, or if no price is known and the budget allows that. */
export function worstOf(state: WithFacts & WithPlan & WithMoney, claiming: Claiming): Nano | null {
  const worst = state.plan.targets.flatMap((target) => worstOfTarget(state, target, claiming) ?? [])
  const vector = worstOfVector(state, claiming)
  return worst.length === 0 ? vector : worstOfAll(state, worst) + (vector ?? 0n)
}

function worstOfVector(state: WithFacts & WithMoney, { budget, caller, vector }: Claiming): Nano | null {
  if (vector === null || !isCovered(budget, caller, vector.target)) return null
  const price = priceIn(state, vector.target, budget.currency)
  return price === null ? null : worstCost(price.sheet, { inputTokens: vector.tokensAtMost, outputTokens: 0 }, null)
}

/** Maximum cost of a target: as the one that answers, and as one that read the question but was not waited for. */
interface Worst {
  readonly answering: Nano
  readonly reading: Nano
}

function worstOfTarget(
  state: WithFacts & WithPlan & WithMoney,
  target: Target,
  { budget, caller, exact }: Claiming,
): Worst | null {
  const price = isCovered(budget, caller, target) ? priceIn(state, target, budget.currency) : null
  if (price === null) return null
  const inputTokens = exact?.(target) ?? countInput(state.plan.call).atMost
  const outputTokens = boundOutput(withinLimits(state.plan.call, target), price.maxOutputTokens)
  const costOf = (tokens: number) =>
    worstCost(price.sheet, { inputTokens, outputTokens: tokens }, state.plan.call.serviceTier)
  const answering = costOf(outputTokens)
  return answering === null ? null : { answering, reading: costOf(0) ?? answering }
}

/**
 * One target answers, and before it each of the others may have been asked in vain, up to the allowed number of
 * attempts.
 */
function worstOfAll({ plan: { policy, route } }: WithPlan, worst: readonly Worst[]): Nano {
  const dearest = worst.reduce((most, { answering }) => (answering > most ? answering : most), 0n)
  const readings = worst.map(({ reading }) => reading).sort((a, b) => (a < b ? 1 : a > b ? -1 : 0))
  const others = Math.min(worst.length, policy.effective.upstream.max_attempts) - 1
  const inVain = readings.slice(0, others).reduce((sum, reading) => sum + reading, 0n)
  // Two targets may be asked at once, and both are charged.
  return (route?.hedgeAfterMs == null ? dearest : dearest * 2n) + inVain
}
