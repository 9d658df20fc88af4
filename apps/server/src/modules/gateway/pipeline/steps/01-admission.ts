import type { Actor } from '../../../../kernel/auth/actor.ts'
import type { ChatRequest } from '../../call/chat-schema.ts'
import { readChat } from '../../call/read-chat.ts'
import { resolveTargets } from '../../call/targets.ts'
import { callerPolicies } from '../../policy/callers.ts'
import { isAllowed } from '../../policy/globs.ts'
import type { TenantSnapshot } from '../../policy/snapshot.ts'
import type { Target } from '../../providers/provider.ts'
import type { CallState } from '../call-state.ts'
import type { PipelineParts } from '../parts.ts'
import { allow, type Step, type StepOutcome } from '../step.ts'

/** Body → canonical call, and who could answer it. The kernel has checked body, caller and idempotency before. */
export function admission(parts: PipelineParts): Step {
  const admit = (state: CallState, snapshot: TenantSnapshot): StepOutcome => {
    const { request } = state.facts
    state.snapshot = snapshot
    state.call = readChat(request)
    state.targets = callTargets(snapshot, state.facts.actor, request)
    return allow
  }
  return {
    n: 1,
    name: 'admission',
    budgetMs: 0.3,
    onFailure: 'closed',
    run: (state) => {
      const snapshot = parts.snapshots.get(state.facts.tenantId)
      return snapshot instanceof Promise ? snapshot.then((loaded) => admit(state, loaded)) : admit(state, snapshot)
    },
  }
}

/** Who could answer the call, best first. @throws GW-001, GW-002 */
export function callTargets(snapshot: TenantSnapshot, actor: Actor, request: ChatRequest): readonly Target[] {
  const model = request.model ?? (request.provider === undefined ? defaultModel(snapshot, actor, request) : null)
  return resolveTargets(snapshot.providers, { provider: request.provider ?? null, model })
}

/** A call that names nothing goes to the model the caller's policies name. */
function defaultModel(snapshot: TenantSnapshot, actor: Actor, request: ChatRequest): string | null {
  const { models } = callerPolicies(snapshot, actor, request.policy_id ?? null).effective
  return models.default !== null && isAllowed(models, models.default) ? models.default : null
}
