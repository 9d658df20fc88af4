import { errors } from '../../errors.ts'
import { callerPolicies } from '../../policy/callers.ts'
import type { CompiledPolicy } from '../../policy/compile.ts'
import { isAllowed } from '../../policy/globs.ts'
import type { CallState } from '../call-state.ts'
import { allow, blockByPolicy, type Step, type StepOutcome } from '../step.ts'

/** Finds the rules that apply to the caller and leaves only the targets they allow. */
export function policyResolution(): Step {
  return {
    n: 3,
    name: 'policy_resolution',
    budgetMs: 0.1,
    onFailure: 'closed',
    run: (state) => {
      const { actor, request } = state.facts
      state.policy = callerPolicies(state.snapshot, actor, request.policy_id ?? null)
      return applyBounds(state, state.policy)
    },
  }
}

function applyBounds(state: CallState, { effective }: CompiledPolicy): StepOutcome {
  const { models, providers } = effective
  const allowed = state.targets.filter(
    ({ provider, model }) =>
      isAllowed(models, model, `${provider.name}/${model}`) && isAllowed(providers, provider.name),
  )
  const [first] = state.targets
  const broken =
    allowed.length === 0
      ? `The policy does not allow the model ${first?.model ?? ''} of ${first?.provider.name ?? ''}.`
      : brokenBound(state, models)
  if (broken !== null) return blockByPolicy(errors.modelNotAllowed({ what: broken }))
  state.targets = allowed
  const cap = models.max_output_tokens
  // A caller that names no limit gets the policy's; one that names a larger one gets the policy's too.
  if (cap !== null) state.call = { ...state.call, maxTokens: Math.min(state.call.maxTokens ?? cap, cap) }
  return allow
}

function brokenBound({ call, facts }: CallState, models: CompiledPolicy['effective']['models']): string | null {
  if ((call.temperature ?? 0) > models.max_temperature)
    return `The policy allows a temperature up to ${models.max_temperature}.`
  if (call.choices > models.max_choices) return `The policy allows up to ${models.max_choices} choices.`
  return facts.request.stream === true && !models.allow_streaming ? 'The policy does not allow streams.' : null
}
