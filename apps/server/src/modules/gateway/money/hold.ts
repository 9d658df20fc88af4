import type { CallState } from '../pipeline/call-state.ts'
import type { Nano } from './amounts.ts'
import type { Budget, Caller } from './budget.ts'

/** What is set aside in a budget for a call under way. */
export interface Hold {
  readonly id: string
  readonly budget: Budget
  readonly bucket: string
  readonly amount: Nano
}

export function callerOf({ facts }: CallState): Caller {
  const { actor, asked } = facts
  return {
    userId: actor.userId,
    keyId: actor.keyId,
    roles: actor.roles,
    agentId: asked.agentId,
    tags: asked.tags,
    requested: asked.model,
  }
}
