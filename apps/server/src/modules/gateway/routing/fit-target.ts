import type { Fitted } from '../call/fields.ts'
import { fitCall } from '../call/fields.ts'
import { errors } from '../declared/errors.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { withinLimits } from '../plan/limits.ts'
import type { Target } from '../providers/provider.ts'
import { fieldTableOf } from '../providers/vendors/model-facts.ts'
import { adapterFor } from '../providers/vendors/registry.ts'

/** Every breaker is open; the first lets a call through after this long. */
export function restingProblem(restMs: number) {
  const seconds = Math.max(1, Math.ceil(restMs / 1000))
  return errors.noHealthyTarget().withHeaders({ 'retry-after': String(Number.isFinite(seconds) ? seconds : 1) })
}

/**
 * The call as the target accepts it, with the unsupported fields; a policy may have them left out instead of refused.
 */
export function fitTarget({ plan: { call, policy } }: WithPlan, target: Target): Fitted {
  const { provider, model } = target
  const adapter = adapterFor(provider.kind, call)
  const { capabilities } = provider.ownModels?.get(model) ?? {}
  const fields = fieldTableOf(adapter.fields, { kind: provider.kind, model }, capabilities)
  const takes = fields === adapter.fields ? adapter : { ...adapter, fields }
  return fitCall(withinLimits(call, target), takes, policy.effective.upstream.on_unsupported === 'drop')
}
