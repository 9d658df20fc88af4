import { normalize } from '@parapet/detect'
import type { PatternFinder } from '../../detection/analyses.ts'
import { errors } from '../../errors.ts'
import { attachmentsOf, brokenBy } from '../../policy/attachments.ts'
import { variablesOf } from '../../policy/conditions.ts'
import { isAllowed } from '../../policy/globs.ts'
import type { CallState } from '../call-state.ts'
import { classMatters, dataClassOf, isCleared } from '../data-class.ts'
import { note } from '../findings.ts'
import type { PipelineParts } from '../parts.ts'
import { allow, blockByPolicy, type Step, type StepOutcome } from '../step.ts'
import { withMark, withPolicyText } from '../system-text.ts'

interface Broken {
  readonly rule: string
  readonly action: 'flag' | 'block'
  readonly location: string
  readonly count: number
  /** What its author wants said. */
  readonly message?: string | null
}

type Parts = Pick<PipelineParts, 'analyses'> & { readonly kernel: { readonly clock: { iso(): string } } }

/** The policy's own words: terms, patterns, conditions, tools, attachments, and what it says to the model itself. */
export function contentPolicy(parts: Parts): Step {
  return {
    n: 8,
    name: 'content_policy',
    budgetMs: 0.5,
    onFailure: 'content_policy',
    run: (state) => {
      const patterns = parts.analyses.patterns(state)
      return patterns instanceof Promise
        ? patterns.then((find) => judge(state, parts, find))
        : judge(state, parts, patterns)
    },
  }
}

function judge(state: CallState, parts: Parts, find: PatternFinder): StepOutcome {
  const plain = [
    ...textRules(state, parts, find),
    ...toolRules(state),
    ...attachmentRules(state),
    ...metadataRules(state),
    ...systemRules(state),
  ]
  record(state, plain)
  // Conditions may ask which rules were broken.
  const conditions = conditionRules(state, parts)
  record(state, conditions)
  const broken = [...plain, ...conditions]
  const blocking = broken.filter(({ action }) => action === 'block')
  if (blocking.length > 0) return refuse(blocking)
  const uncleared = keepCleared(state)
  if (uncleared !== null) return uncleared
  addPolicyText(state)
  return broken.length > 0 ? { decision: 'flag' } : allow
}

/** Leaves the targets that may be sent data of the call's class. */
function keepCleared(state: CallState): StepOutcome | null {
  if (!classMatters(state)) return null
  const dataClass = dataClassOf(state)
  const cleared = state.targets.filter((target) => isCleared(state, target, dataClass))
  if (cleared.length > 0) {
    state.targets = cleared
    return null
  }
  note(state, { rule: 'classification', step: 'content_policy', category: 'classification', action: 'block' })
  return blockByPolicy(errors.modelNotAllowed({ what: `Data of the class ${dataClass} may not be sent there.` }))
}

function record(state: CallState, broken: readonly Broken[]): void {
  for (const { rule, action, location, count } of broken) {
    note(state, { rule, step: 'content_policy', category: 'content', action, location, count })
  }
}

function refuse(blocking: readonly Broken[]): StepOutcome {
  const names = [...new Set(blocking.map(({ rule }) => rule))]
  const where = blocking.map(({ rule, location, message }) => ({
    detail: message ?? `The rule ${rule} was broken.`,
    pointer: location,
  }))
  return blockByPolicy(errors.contentPolicy({ names }).at(where.slice(0, 20)))
}

function textRules(state: CallState, { analyses }: Parts, find: PatternFinder): readonly Broken[] {
  const rules = state.policy.rules.filter(({ on }) => on.includes('input'))
  if (rules.length === 0) return []
  return analyses.texts(state).flatMap(({ text, location }) => {
    const views = { original: text, normalized: normalize(text) }
    return rules.flatMap((rule) => {
      const { length: count } = rule.find(views, find)
      return count > 0 ? [{ rule: rule.id, action: rule.action, location, count }] : []
    })
  })
}

function toolRules({ call, policy }: CallState): readonly Broken[] {
  const { tools } = policy.effective.content
  const denied = call.tools.flatMap(({ name }, index) =>
    isAllowed(tools, name) ? [] : [blocked('tool-not-allowed', `/tools/${index}`)],
  )
  const tooMany = call.tools.length > tools.max_tools
  return tooMany ? [...denied, { ...blocked('too-many-tools', '/tools'), count: call.tools.length }] : denied
}

function blocked(rule: string, location: string): Broken {
  return { rule, action: 'block', location, count: 1 }
}

function attachmentRules({ call, policy }: CallState): readonly Broken[] {
  return attachmentsOf(call).flatMap((attachment) => {
    const rule = brokenBy(attachment, policy.effective.content.attachments)
    return rule === null ? [] : [blocked(rule, attachment.location)]
  })
}

function metadataRules({ call, policy }: CallState): readonly Broken[] {
  return policy.effective.content.required_metadata
    .filter((name) => !Object.hasOwn(call.metadata, name))
    .map((name) => blocked(`metadata-${name}`, `/metadata/${name}`))
}

function systemRules({ call, policy }: CallState): readonly Broken[] {
  if (!policy.effective.content.system_prompt.lock) return []
  return call.turns.flatMap(({ role, at }, index) =>
    role === 'system' ? [blocked('system-prompt-locked', at ?? `/messages/${index}`)] : [],
  )
}

function conditionRules(state: CallState, { kernel }: Parts): readonly Broken[] {
  const conditions = state.policy.conditions.filter(({ on }) => on.includes('input'))
  if (conditions.length === 0) return []
  const variables = variablesOf(state, kernel.clock.iso())
  return conditions
    .filter((condition) => condition.holds(variables))
    .map(({ id, action, message }) => ({ rule: id, action, message, location: '', count: 1 }))
}

/** The mark comes last: it covers the policy's own words too. */
function addPolicyText(state: CallState): void {
  const { content, output } = state.policy.effective
  state.call = withPolicyText(state.call, content.system_prompt)
  const { markingKey } = state.snapshot
  if (markingKey === undefined || !output.enabled || !output.canary || output.system_prompt_leak === 'allow') return
  state.call = withMark(state.call, markingKey)
}
