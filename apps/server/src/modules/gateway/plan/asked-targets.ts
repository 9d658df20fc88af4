import type { Actor } from '../../../kernel/access/actor.ts'
import type { Asked } from '../call/asked.ts'
import { callerPolicies } from '../policy/callers.ts'
import type { TenantSnapshot } from '../policy/snapshot.ts'
import { isAllowed } from '../words/globs.ts'
import { type Plan, planFor } from './targets.ts'

/** What of a call says who could answer it. */
export type WhatIsAsked = Pick<Asked, 'provider' | 'model' | 'policy'>

/** Who could answer the call, best first; what a route asks of calls is not looked at. @throws GW-001, GW-002, GW-018 */
export function callPlan(snapshot: TenantSnapshot, actor: Actor, asked: WhatIsAsked): Plan {
  const model = asked.model ?? (asked.provider === null ? defaultModel(snapshot, actor, asked) : null)
  return planFor(snapshot, { provider: asked.provider, model })
}

/** A call that names nothing goes to the model the caller's policies name. */
function defaultModel(snapshot: TenantSnapshot, actor: Actor, asked: WhatIsAsked): string | null {
  const { models } = callerPolicies(snapshot, actor, asked.policy).effective
  return models.default !== null && isAllowed(models, models.default) ? models.default : null
}
