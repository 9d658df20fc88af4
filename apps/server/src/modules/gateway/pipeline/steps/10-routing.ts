import type { WithAttempts } from '../../attempts/call-attempts.ts'
import type { Writes } from '../../call/writes.ts'
import { errors } from '../../declared/errors.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import type { Target } from '../../providers/provider.ts'
import { contextTokensOf } from '../../providers/vendors/model-facts.ts'
import { fitTarget, restingProblem } from '../../routing/fit-target.ts'
import type { LeftOut } from '../../schemas/left-out.ts'
import { countInput } from '../../tokens/bounds.ts'
import { type ExactCounts, longestCountMs, withCounts } from '../../tokens/exact-counts.ts'
import type { Given, Step } from '../contract/step.ts'
import { inTime } from '../progress/in-time.ts'
import { allow, block, type StepOutcome } from '../progress/outcome.ts'
import type { PipelineParts } from './parts.ts'

type Reads = 'facts' | 'life' | 'plan' | 'money' | 'attempts' | 'answer' | 'progress'
type Changed = 'plan' | 'attempts'
type Call = Given<Reads, Changed>

/** Puts the targets in the order in which they are asked: those that can take the call and do not rest. */
export function routing(parts: PipelineParts): Step<Reads, Changed> {
  return {
    n: 10,
    name: 'routing',
    budgetMs: 0.2,
    limitMs: longestCountMs,
    onFailure: 'closed',
    run: (state) => {
      // A cached answer needs no provider, so its original target may rest.
      if (state.answer.flow !== null) return allow
      const refused = leaveAble(state)
      if (refused !== null) return refused
      const narrow = leaveWide(parts, state)
      if (narrow instanceof Promise) return narrow.then((found) => found ?? orderAwake(parts, state))
      return narrow ?? orderAwake(parts, state)
    },
  }
}

/** Takes away the targets that do not take a field of the call. */
function leaveAble(state: WithPlan & WithAttempts & Writes<WithPlan & WithAttempts>): StepOutcome | null {
  const fits = state.plan.targets.map((target) => fitTarget(state, target))
  const able = state.plan.targets.filter((_, index) => fits[index]?.refused.length === 0)
  const [field] = fits.flatMap(({ refused }) => refused)
  if (able.length === 0 && field !== undefined) {
    const model = state.plan.targets[0]?.model ?? ''
    return block(
      errors.capability({ model, field }).at([{ detail: 'This model does not take this field.', pointer: field }]),
    )
  }
  keep(state, able, (target) => {
    const [unable = ''] = fits[state.plan.targets.indexOf(target)]?.refused ?? []
    return { reason: 'unsupported', field: unable.slice(0, mostOfPointer) }
  })
  return null
}

const mostOfPointer = 256

/** Goes on with these targets alone, and notes why the others are not asked. */
function keep(
  state: WithPlan & WithAttempts & Writes<WithPlan & WithAttempts>,
  targets: readonly Target[],
  why: (target: Target) => Pick<LeftOut, 'reason' | 'field'>,
): void {
  const leftOut = state.plan.targets
    .filter((target) => !targets.includes(target))
    .map((target): LeftOut => ({ provider: target.provider.name, model: target.model, ...why(target) }))
  if (leftOut.length > 0) state.write({ attempts: { leftOut: [...state.attempts.leftOut, ...leftOut] } })
  state.write({ plan: { targets } })
}

/** Takes away the targets whose context window the call does not fit into, as far as it is known. */
function leaveWide({ tokenCounts }: PipelineParts, state: Call): StepOutcome | null | Promise<StepOutcome | null> {
  const windows = state.plan.targets.map(windowOf)
  if (windows.every((window) => window === null)) return null
  const { about } = countInput(state.plan.call)
  const wide = state.plan.targets.filter((_, index) => (windows[index] ?? about) >= about)
  if (wide.length === 0)
    return withCounts(inTime(state, 10, tokenCounts.of(state)), (exact) => leaveCounted(state, exact, about))
  keep(state, wide, tooLong)
  return null
}

const tooLong = () => ({ reason: 'context_window' }) as const

const windowOf = ({ provider, model }: Target): number | null =>
  contextTokensOf(provider.ownModels?.get(model), { kind: provider.kind, model })

/** No target's context window holds the estimated tokens: the tokenizer's count decides, where there is one. */
function leaveCounted(
  state: WithPlan & WithAttempts & Writes<WithPlan & WithAttempts>,
  exact: ExactCounts | null,
  about: number,
): StepOutcome | null {
  const counted = state.plan.targets.map((target) => ({
    target,
    tokens: exact?.(target) ?? about,
    window: windowOf(target) ?? 0,
  }))
  const wide = counted.filter(({ tokens, window }) => tokens <= window)
  if (wide.length > 0) {
    const fitting = wide.map(({ target }) => target)
    keep(state, fitting, tooLong)
    return null
  }
  const [widest] = counted.sort((a, b) => b.window - a.window)
  return block(errors.contextTooLong({ tokens: widest?.tokens ?? about, most: widest?.window ?? 0 }))
}

function orderAwake({ health, routing: { order } }: PipelineParts, state: Call): StepOutcome {
  const rests = state.plan.targets.map((target) => health.restMs(target))
  const awake = state.plan.targets.filter((_, index) => rests[index] === 0)
  if (awake.length === 0) return block(restingProblem(Math.min(...rests)))
  keep(state, awake, () => ({ reason: 'resting' }))
  state.write({ plan: { targets: order(state, awake) } })
  return allow
}
