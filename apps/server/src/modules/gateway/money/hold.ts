import type { Budget, Caller } from '../budgets/budget.ts'
import type { Claim } from '../budgets/ledger.ts'
import { isoOf } from '../budgets/standing.ts'
import type { WithFacts } from '../call/facts.ts'
import type { Nano } from '../prices/amounts.ts'

/** Amount reserved in a budget for a running call. */
export interface Hold {
  readonly id: string
  readonly budget: Budget
  readonly bucket: string
  readonly amount: Nano
}

/** The claim for a reservation. It counts in the window of its bucket, even if a new window has begun since. */
export function claimOf({ id, budget, bucket, amount }: Hold): Claim {
  const since = isoOf(budget.window(Date.parse(bucket)).since)
  return { holdId: id, budgetId: budget.id, bucket, since, amountNano: String(amount) }
}

export function callerOf({ facts }: WithFacts): Caller {
  const { actor, asked } = facts
  return {
    userId: actor.userId,
    keyId: actor.keyId,
    keyAncestors: actor.keyAncestors ?? [],
    roles: actor.roles,
    agentId: asked.agentId,
    tags: asked.tags,
    requested: asked.model,
  }
}
