import { createVault, type Vault } from '@parapet/detect'
import { worksWithin } from '../../../../kernel/base/regions.ts'
import type { WithAttempts } from '../../attempts/call-attempts.ts'
import { type AskedPlace, askedKeeping, askedPlaces } from '../../call/asked-places.ts'
import type { CanonicalCall } from '../../call/call.ts'
import type { WithFacts } from '../../call/facts.ts'
import { type NamedModel, namedModels } from '../../call/named-models.ts'
import { tokensOf } from '../../call/tokens.ts'
import type { Writes } from '../../call/writes.ts'
import { errors } from '../../declared/errors.ts'
import type { WithFindings } from '../../findings/call-findings.ts'
import { note } from '../../findings/findings.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import { type Bound, targetRefusal } from '../../plan/target-refusal.ts'
import { serves } from '../../plan/targets.ts'
import { callerPolicies } from '../../policy/callers.ts'
import type { CompiledPolicy } from '../../policy/compile.ts'
import type { EffectivePolicy } from '../../policy/effective.ts'
import { charactersOf } from '../../policy/estimate.ts'
import { isOffline, type Target } from '../../providers/provider.ts'
import { longestCountMs, type TokenCounts, withCounts } from '../../tokens/exact-counts.ts'
import type { Given, Step } from '../contract/step.ts'
import { inTime } from '../progress/in-time.ts'
import { allow, blockByPolicy, type StepOutcome } from '../progress/outcome.ts'
import type { PipelineParts } from './parts.ts'

type Reads = 'facts' | 'life' | 'plan' | 'findings' | 'attempts' | 'progress'
type Changed = 'plan' | 'attempts'
type Call = Given<Reads, Changed>

/** Finds the rules that apply to the caller and leaves only the targets they allow. */
export function policyResolution({ tokenCounts }: Pick<PipelineParts, 'tokenCounts'>): Step<Reads, Changed> {
  return {
    n: 3,
    name: 'policy_resolution',
    budgetMs: 0.1,
    limitMs: longestCountMs,
    onFailure: 'closed',
    run: (state) => {
      const { actor, asked } = state.facts
      const principal = { ...actor, routeId: state.plan.route?.id ?? null }
      const policy = callerPolicies(state.plan.snapshot, principal, asked.policy, asked)
      state.write({ plan: { policy, vault: vaultFor(state, policy.effective) } })
      const broken = applyBounds(state, state.plan.policy)
      if (broken !== null && state.plan.policy.effective.mode === 'enforce') return broken
      // A policy that only watches tells of everything that it would refuse.
      const input = withinInput(tokenCounts, state)
      if (broken === null) return input
      return input instanceof Promise ? input.then(() => broken) : broken
    },
  }
}

function vaultFor({ plan: { vault } }: WithPlan, { sensitive_data: { brackets } }: EffectivePolicy): Vault {
  const half = brackets.length / 2
  const [open, close] = [brackets.slice(0, half), brackets.slice(half)]
  return vault.brackets.open === open ? vault : createVault({ brackets: { open, close } })
}

/** Enforce: the first violation blocks. Monitor: violations are recorded. The remaining bounds apply in both modes. */
function applyBounds(state: Call, { effective }: CompiledPolicy): StepOutcome | null {
  const named = namedModels(state.plan.call)
  const places = placesRefusal(state.plan.call, effective.providers)
  const refused = state.plan.targets.map(
    (target) =>
      targetRefusal(target, effective) ??
      namedRefusal(target, named, effective) ??
      (isOffline(target.provider) ? null : places),
  )
  const allowed = state.plan.targets.filter((_, index) => refused[index] === null)
  const [why = null] = allowed.length === 0 ? refused : []
  const broken = [...(why === null ? [] : [why]), ...brokenBounds(state, effective.models)]
  const [first] = broken
  if (first !== undefined && effective.mode === 'enforce') return refuse(state, first)
  if (allowed.length > 0) state.write({ plan: { targets: allowed } })
  const cap = effective.models.max_output_tokens
  // A caller that names no limit gets the policy's; one that names a larger one gets the policy's too.
  if (cap !== null && leavesRoom(state, cap)) boundAnswer(state, cap)
  const [outcome = null] = broken.map((bound) => refuse(state, bound))
  return outcome
}

function refuse(state: WithPlan & WithFindings, { rule, what }: Bound): StepOutcome {
  note(state, { rule, step: 'policy_resolution', category: 'bounds', action: 'block' })
  return blockByPolicy(errors.modelNotAllowed({ what }))
}

function boundAnswer(state: WithPlan & WithAttempts & Writes<WithPlan & WithAttempts>, cap: number): void {
  const { maxTokens: asked, embed } = state.plan.call
  if (asked !== null && asked <= cap) return
  state.write({ plan: { call: { ...state.plan.call, maxTokens: cap } } })
  if (embed === null)
    state.write({ attempts: { lowered: [...state.attempts.lowered, { asked, sent: cap, source: 'policy' }] } })
}

/** Takes away the targets that would read more than the policy allows: by an estimate, and by a count where that is too much. */
function withinInput(tokenCounts: TokenCounts, state: Call): StepOutcome | Promise<StepOutcome> {
  const most = state.plan.policy.effective.models.max_input_tokens
  if (most === null) return allow
  const about = tokensOf(charactersOf(state.plan.call))
  if (about <= most) return allow
  return withCounts(inTime(state, 3, tokenCounts.of(state)), (exact) => {
    const fitting = state.plan.targets.filter((target) => (exact?.(target) ?? about) <= most)
    if (fitting.length === 0)
      return refuse(state, { rule: 'max-input-tokens', what: `The policy allows about ${most} tokens of input.` })
    state.write({ plan: { targets: fitting } })
    return allow
  })
}

/** Why the target must not be asked with the other models that the call names; null when it may. */
function namedRefusal({ provider }: Target, named: readonly NamedModel[], effective: EffectivePolicy): Bound | null {
  const refused = named.find(
    ({ model }) => !serves(provider, model) || targetRefusal({ provider, model }, effective) !== null,
  )
  if (refused === undefined) return null
  return { rule: 'model-not-allowed', what: `A model named at ${refused.at} is not allowed for ${provider.name}.` }
}

/**
 * Reason why the call's own choice of where data is processed or stored is not allowed at any vendor; null when it is.
 */
function placesRefusal(call: CanonicalCall, providers: EffectivePolicy['providers']): Bound | null {
  const away = providers.residency.length === 0 ? undefined : askedPlaces(call).find(isAway(providers.residency))
  if (away !== undefined)
    return { rule: 'residency', what: `The policy does not allow the place that is chosen at ${away.at}.` }
  const [kept] = providers.require_zero_retention ? askedKeeping(call) : []
  if (kept === undefined) return null
  return { rule: 'zero-retention', what: `The policy wants that nothing is kept, as is asked for at ${kept}.` }
}

const isAway =
  (lists: readonly (readonly string[])[]) =>
  ({ regions }: AskedPlace): boolean =>
    lists.some((allowed) => !worksWithin(regions, allowed))

function brokenBounds(state: WithFacts & WithPlan, models: EffectivePolicy['models']): readonly Bound[] {
  const {
    plan: { call },
    facts,
  } = state
  const { max_temperature: hottest, max_choices: choices, max_output_tokens: cap } = models
  const broken: Bound[] = []
  if ((call.temperature ?? 0) > hottest)
    broken.push({ rule: 'max-temperature', what: `The policy allows a temperature up to ${hottest}.` })
  if (call.choices > choices) broken.push({ rule: 'max-choices', what: `The policy allows up to ${choices} choices.` })
  if (cap !== null && !leavesRoom(state, cap)) {
    const what = `The policy allows answers of up to ${cap} tokens, and thinking alone may take ${thinkingTokens(state)}.`
    broken.push({ rule: 'max-output-tokens', what })
  }
  if (facts.asked.stream && !models.allow_streaming)
    broken.push({ rule: 'allow-streaming', what: 'The policy does not allow streams.' })
  return broken
}

/** Vendors refuse an answer that is shorter than its thinking, in words that name a limit the caller never sent. */
const leavesRoom = (state: WithPlan, cap: number): boolean => thinkingTokens(state) < cap

const thinkingTokens = ({
  plan: {
    call: { reasoning },
  },
}: WithPlan): number => (reasoning !== null && 'budgetTokens' in reasoning ? reasoning.budgetTokens : 0)
