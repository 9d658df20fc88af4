import type { Actor } from '../../../../kernel/access/actor.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { Asked } from '../../call/asked.ts'
import type { CanonicalCall } from '../../call/call.ts'
import { falseBytes } from '../../call/media-bytes.ts'
import { type Plan, planFor } from '../../call/targets.ts'
import { errors } from '../../errors.ts'
import { countInput } from '../../money/bounds.ts'
import { callerPolicies } from '../../policy/callers.ts'
import { isModelAllowed } from '../../policy/globs.ts'
import type { TenantSnapshot } from '../../policy/snapshot.ts'
import type { Target } from '../../providers/provider.ts'
import { conditionsHold, staysWhereMeant, worksWhereMeant } from '../../routing/conditions.ts'
import type { CallState } from '../call-state.ts'
import { inTime } from '../in-time.ts'
import type { PipelineParts } from '../parts.ts'
import { allow, type Step, type StepOutcome } from '../step.ts'

/** What was asked → canonical call, and who could answer it. The kernel has checked body, caller and idempotency before. */
export function admission(parts: PipelineParts): Step {
  const admit = (state: CallState, snapshot: TenantSnapshot): StepOutcome => {
    const { asked } = state.facts
    state.snapshot = snapshot
    refuseOtherAgent(asked)
    state.call = asked.read()
    refuseFalseBytes(state.call)
    const { route, targets } = callPlan(snapshot, state.facts.actor, asked)
    state.route = route
    state.targets = meantFor(state, targets, parts.kernel.clock.now())
    return allow
  }
  return {
    n: 1,
    name: 'admission',
    budgetMs: 0.3,
    limitMs: longestLoadMs,
    onFailure: 'closed',
    run: (state) => {
      const snapshot = parts.snapshots.get(state.facts.tenantId)
      if (snapshot instanceof Promise) return inTime(state, 1, snapshot).then((loaded) => admit(state, loaded))
      return admit(state, snapshot)
    },
  }
}

/** The first call of a tenant reads its configuration; a database that takes longer is as good as away. */
const longestLoadMs = 10_000

/** @throws API-001 */
function refuseOtherAgent({ agentId, saidAgentId }: Asked): void {
  if (saidAgentId === null || saidAgentId === agentId) return
  const what = 'agent_id must be the agent of the credential: the service account whose key it is.'
  throw apiErrors.validation({ what }).at([{ detail: what, pointer: '/agent_id' }])
}

/** @throws API-001 */
function refuseFalseBytes(call: CanonicalCall): void {
  const places = falseBytes(call)
  if (places.length === 0) return
  const detail = 'What this part holds is no base64.'
  throw apiErrors.validation({ what: detail }).at(places.slice(0, 20).map((pointer) => ({ detail, pointer })))
}

/** What of a call says who could answer it. */
export type WhatIsAsked = Pick<Asked, 'provider' | 'model' | 'policy'>

/** Who could answer the call, best first; what a route asks of calls is not looked at. @throws GW-001, GW-002, GW-018 */
export function callPlan(snapshot: TenantSnapshot, actor: Actor, asked: WhatIsAsked): Plan {
  const model = asked.model ?? (asked.provider === null ? defaultModel(snapshot, actor, asked) : null)
  return planFor(snapshot, { provider: asked.provider, model })
}

/** The targets that take calls like this one. @throws GW-001 */
function meantFor(state: CallState, targets: readonly Target[], now: number): readonly Target[] {
  if (targets.every(({ place }) => (place?.conditions ?? null) === null)) return targets
  const { actor, asked } = state.facts
  const facts = {
    operation: asked.operation,
    keyId: actor.keyId,
    agentId: asked.agentId,
    tags: asked.tags,
    metadata: asked.metadata,
    inputTokens: () => countInput(state.call).about,
    now,
  }
  const meant = targets.filter((target) => {
    const conditions = target.place?.conditions ?? {}
    const isThere = worksWhereMeant(conditions, target) && staysWhereMeant(conditions, target, state.call)
    return isThere && conditionsHold(conditions, facts)
  })
  if (meant.length === 0)
    throw errors.unknownTarget({ what: `No target of the route ${state.route?.name ?? ''} is meant for this call.` })
  return meant
}

/** A call that names nothing goes to the model the caller's policies name. */
function defaultModel(snapshot: TenantSnapshot, actor: Actor, asked: WhatIsAsked): string | null {
  const { models } = callerPolicies(snapshot, actor, asked.policy).effective
  return models.default !== null && isModelAllowed(models, models.default) ? models.default : null
}
