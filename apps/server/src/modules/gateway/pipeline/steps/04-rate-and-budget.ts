import type { ProblemError } from '../../../../kernel/http/problem.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { LimitDecision } from '../../../../kernel/limits/port.ts'
import { errors } from '../../errors.ts'
import type { EffectivePolicy } from '../../policy/merge.ts'
import type { CallState } from '../call-state.ts'
import type { PipelineParts } from '../parts.ts'
import { allow, blockByPolicy, type Step, type StepOutcome } from '../step.ts'

type Limit = EffectivePolicy['limits'][number]

/** Counts the call in every limit of its policies, or in none when one of them is used up. */
export function rateAndBudget(parts: PipelineParts): Step {
  return {
    n: 4,
    name: 'rate_and_budget',
    budgetMs: 0.5,
    onFailure: 'rate_and_budget',
    run: (state) => {
      const { limits } = state.policy.effective
      if (limits.length === 0) return allow
      return takeAll(parts, state, limits)
    },
  }
}

async function takeAll(parts: PipelineParts, state: CallState, limits: readonly Limit[]): Promise<StepOutcome> {
  const rates = limits.filter(({ unit }) => unit === 'requests')
  // Asked first and taken afterwards, so that a refused call uses up nothing.
  for (const peeked of [true, false]) {
    for (const limit of rates) {
      const decision = await decide(parts.kernel, state, { limit, peek: peeked })
      if (!decision.allowed) return blockByPolicy(refusal(limit, decision.retryAfterMs))
    }
  }
  return enterAll(parts, state, limits)
}

function decide(
  { limits }: Kernel,
  state: CallState,
  { limit, peek }: { readonly limit: Limit; readonly peek: boolean },
): LimitDecision | Promise<LimitDecision> {
  const rule = { limit: limit.max, windowMs: (limit.window_seconds ?? 60) * 1000 }
  return peek ? limits.peek(keyOf(state, limit), rule) : limits.take(keyOf(state, limit), rule)
}

function enterAll(parts: PipelineParts, state: CallState, limits: readonly Limit[]): StepOutcome {
  const wanted = limits.filter(({ unit }) => unit === 'concurrent')
  const entered = parts.concurrency.enter(wanted.map((limit) => ({ key: keyOf(state, limit), max: limit.max })))
  if (typeof entered === 'function') {
    state.cleanups.push(entered)
    return allow
  }
  const full = wanted[entered.full]
  return full === undefined ? allow : blockByPolicy(refusal(full, 1000))
}

/** Two limits of different size keep separate counts, because their windows are different things. */
function keyOf({ facts }: CallState, limit: Limit): string {
  const { tenantId, actor } = facts
  const who = { tenant: 'all', user: actor.userId, key: actor.keyId ?? actor.userId }[limit.per]
  return `{${tenantId}}:gateway:${limit.id}:${limit.unit}:${limit.max}:${limit.window_seconds ?? 0}:${limit.per}:${who}`
}

function refusal(limit: Limit, retryAfterMs: number): ProblemError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return errors.limitExceeded({ id: limit.id, seconds }).withHeaders({ 'retry-after': String(seconds) })
}
