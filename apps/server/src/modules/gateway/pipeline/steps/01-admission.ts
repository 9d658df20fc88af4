import { readChat } from '../../call/read-chat.ts'
import { resolveTargets } from '../../call/targets.ts'
import { callerPolicies } from '../../policy/callers.ts'
import { isAllowed } from '../../policy/globs.ts'
import type { TenantSnapshot } from '../../policy/snapshot.ts'
import type { CallState } from '../call-state.ts'
import type { PipelineParts } from '../parts.ts'
import { allow, type Step, type StepOutcome } from '../step.ts'

/** Body → canonical call, and who could answer it. The kernel has checked body, caller and idempotency before. */
export function admission(parts: PipelineParts): Step {
  const admit = (state: CallState, snapshot: TenantSnapshot): StepOutcome => {
    const { request } = state.facts
    state.snapshot = snapshot
    state.call = readChat(request)
    const model = request.model ?? (request.provider === undefined ? defaultModel(state, snapshot) : null)
    state.targets = resolveTargets(snapshot.providers, { provider: request.provider ?? null, model })
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

/** A call that names nothing goes to the model the caller's policies name. */
function defaultModel(state: CallState, snapshot: TenantSnapshot): string | null {
  const { models } = callerPolicies(snapshot, state.facts.actor, state.facts.request.policy_id ?? null).effective
  return models.default !== null && isAllowed(models, models.default) ? models.default : null
}
