import type { Actor } from '../../../kernel/access/actor.ts'
import type { Asked } from '../call/asked.ts'
import { callerPolicies } from '../policy/callers.ts'
import type { TenantSnapshot } from '../policy/snapshot.ts'
import { isModelAllowed } from '../words/globs.ts'
import { type Plan, planFor } from './targets.ts'

/** Members of a call that determine its targets. */
export type WhatIsAsked = Pick<Asked, 'provider' | 'model' | 'policy'>

/** Targets for the call, best first; the conditions of a route are not checked. @throws GW-001, GW-002, GW-018 */
export function callPlan(snapshot: TenantSnapshot, actor: Actor, asked: WhatIsAsked): Plan {
  const model = asked.model ?? (asked.provider === null ? defaultModel(snapshot, actor, asked) : null)
  return planFor(snapshot, { provider: asked.provider, model })
}

/** A call that names nothing goes to the model the caller's policies name. */
function defaultModel(snapshot: TenantSnapshot, actor: Actor, asked: WhatIsAsked): string | null {
  const { models } = callerPolicies(snapshot, actor, asked.policy).effective
  return models.default !== null && isModelAllowed(models, models.default) ? models.default : null
}
