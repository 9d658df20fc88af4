import { chargeBudgets } from '../../money/charge.ts'
import { hasLimits, peekLimits, refuse, takeLimits } from '../../money/limits.ts'
import type { TenantMoney } from '../../money/load.ts'
import type { Given, Step } from '../contract/step.ts'
import { inTime } from '../progress/in-time.ts'
import { allow, type StepOutcome } from '../progress/outcome.ts'
import type { PipelineParts } from './parts.ts'

type Reads = 'facts' | 'life' | 'plan' | 'money' | 'findings' | 'progress'
type Changed = 'plan' | 'money'
type Call = Given<Reads, Changed>

/**
 * Keeps the call within the tenant's quota of tokens, counts it in every limit of its policies and sets its worst case aside in every budget, or in none when one of
 * them is used up. Limits are asked before and counted after the budgets, so that a refused call uses up nothing.
 */
export function rateAndBudget(parts: PipelineParts): Step<Reads, Changed> {
  return {
    n: 4,
    name: 'rate_and_budget',
    budgetMs: 0.5,
    limitMs: longestWaitMs,
    onFailure: 'rate_and_budget',
    run: (state) => {
      const money = parts.money.tenants.get(state.facts.tenantId)
      if (money instanceof Promise) return inTime(state, 4, money).then((loaded) => charge(parts, state, loaded))
      return charge(parts, state, money)
    },
  }
}

/** Callers of one budget wait in line for it, which is no failure. */
const longestWaitMs = 5000

function charge(parts: PipelineParts, state: Call, money: TenantMoney): StepOutcome | Promise<StepOutcome> {
  if (money.tokensPerDay !== null) return chargeWithin(parts, state, money)
  return hasLimits(state) ? chargeAll(parts, state, money) : chargeBudgets(parts, state, money)
}

async function chargeWithin(parts: PipelineParts, state: Call, money: TenantMoney): Promise<StepOutcome> {
  const quota = await inTime(state, 4, parts.money.tokens.enter(state, money.tokensPerDay ?? 0, parts.tokenCounts))
  if (quota.decision === 'block') return quota
  return charge(parts, state, { ...money, tokensPerDay: null })
}

async function chargeAll(parts: PipelineParts, state: Call, money: TenantMoney): Promise<StepOutcome> {
  const { refused, inputTokens } = await inTime(state, 4, peekLimits(parts, state))
  if (refused !== null && state.plan.policy.effective.mode === 'enforce') return refuse(state, refused)
  const budgets = await inTime(state, 4, chargeBudgets(parts, state, money))
  if (budgets.decision === 'block') return budgets
  const limits = refused === null ? await takeLimits(parts, state, inputTokens) : refuse(state, refused)
  return limits === allow ? budgets : limits
}
