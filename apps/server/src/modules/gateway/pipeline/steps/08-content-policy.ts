import type { WithFacts } from '../../call/facts.ts'
import { provenanceAt, textsOf } from '../../call/texts/texts.ts'
import { isServer, toolsBeside } from '../../call/tools-beside.ts'
import type { Writes } from '../../call/writes.ts'
import { errors } from '../../declared/errors.ts'
import { type AboutText, type Topic, topicsFor } from '../../detection/topics/topics.ts'
import type { WithFindings } from '../../findings/call-findings.ts'
import { blockedBy, note, passOpen } from '../../findings/findings.ts'
import { longestLookMs } from '../../inspection/analyses.ts'
import { variablesOf } from '../../inspection/condition-variables.ts'
import { classMatters, dataClassOf, isCleared } from '../../inspection/data-class.ts'
import { withMark, withPolicyText } from '../../inspection/system-text.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import { attachmentsOf, brokenBy } from '../../policy/attachments.ts'
import { meantForClass } from '../../route-model/conditions.ts'
import { isAllowed } from '../../words/globs.ts'
import type { Given, Step } from '../contract/step.ts'
import { inTime } from '../progress/in-time.ts'
import { allow, block, blockByPolicy, type StepOutcome } from '../progress/outcome.ts'
import { type Broken, deniedTexts, type Finders, findersOf } from './08-denied-texts.ts'
import type { PipelineParts } from './parts.ts'

/** Without `topics`, as in a dry run, no outside model is asked. */
type Parts = Pick<PipelineParts, 'analyses'> &
  Partial<Pick<PipelineParts, 'topics'>> & { readonly kernel: { readonly clock: { iso(): string } } }

type Reads = 'facts' | 'life' | 'plan' | 'findings' | 'progress'
type Changed = 'plan' | 'findings'
type Call = Given<Reads, Changed>

/** The policy's own words: terms, patterns, conditions, tools, attachments, and its own text for the model. */
export function contentPolicy(parts: Parts): Step<Reads, Changed> {
  return {
    n: 8,
    name: 'content_policy',
    budgetMs: 0.5,
    limitMs: longestLookMs,
    onFailure: 'content_policy',
    run: (state) => {
      const finders = findersOf(state, parts.analyses)
      if (parts.topics !== undefined && topicsFor(state, 'input').length > 0)
        return judgeAbout(state, { ...parts, topics: parts.topics }, finders)
      if (finders instanceof Promise) return inTime(state, 8, finders).then((found) => judge(state, parts, found))
      return judge(state, parts, finders)
    },
  }
}

async function judgeAbout(
  state: Call,
  parts: Required<Parts>,
  finders: Finders | Promise<Finders>,
): Promise<StepOutcome> {
  let isMissing = false
  const finding = parts.topics.find(state, askedTexts(state), 'input').catch((error: unknown) => {
    state.life.abort.throwIfAborted()
    if (state.plan.policy.effective.failure.content_policy === 'closed') throw error
    // Without the model the topics are unknown; everything else is still judged.
    isMissing = true
    return []
  })
  const hits = await inTime(state, 8, finding)
  const { on_oversize: action } = state.plan.policy.effective.normalization
  if (hits === null) note(state, { rule: 'oversize', step: 'content_policy', category: 'oversize', action })
  if (hits === null && action === 'block')
    return blockByPolicy(errors.tooLargeToInspect({ what: 'more sentences than are held against topics' }))
  const about = (hits ?? []).map(({ topic, location }) => brokenTopic(topic, location))
  const outcome = judge(state, parts, await inTime(state, 8, finders), about)
  if (outcome.decision === 'block') return outcome
  const judged = hits === null && outcome.decision === 'allow' ? { decision: 'flag' as const } : outcome
  if (!isMissing) return judged
  passOpen(state, 'content_policy')
  return { ...judged, failed: true }
}

function brokenTopic({ id, action }: Topic, location: string): Broken {
  return { rule: id, action: action === 'block' ? 'block' : 'flag', location, count: 1 }
}

/** A file and nothing else: no sentence is about anything in it. */
const fileAsText = /^data:[\w/+.-]{1,100};base64,[A-Za-z0-9+/=]+$/

/**
 * The user's texts and tool results, as a provider would see them. Instructions are left out: they may name the
 * forbidden topics.
 */
function askedTexts({ plan: { call } }: WithPlan): readonly AboutText[] {
  return textsOf(call).filter(
    ({ provenance, text }) => (provenance === 'user' || provenance === 'tool_result') && !fileAsText.test(text),
  )
}

function judge(state: Call, parts: Parts, finders: Finders, about: readonly Broken[] = []): StepOutcome {
  const plain = [
    ...about,
    ...deniedTexts(state, parts.analyses, finders),
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
  if (blocking[0] !== undefined) {
    blockedBy(state, provenanceAt(state.plan.call, blocking[0].location))
    return refuse(blocking)
  }
  const uncleared = keepCleared(state)
  if (uncleared !== null) return uncleared
  addPolicyText(state)
  if (broken.some(({ action }) => action === 'redact')) return { decision: 'redact' }
  return broken.length > 0 ? { decision: 'flag' } : allow
}

/** Leaves the targets that may be sent data of the call's class. */
function keepCleared(state: WithPlan & WithFindings & Writes<WithPlan>): StepOutcome | null {
  if (!classMatters(state)) return null
  const dataClass = dataClassOf(state)
  const meant = state.plan.targets.filter(({ place }) => meantForClass(place?.conditions, dataClass))
  if (meant.length === 0 && state.plan.targets.length > 0) {
    const what = `No target of the route ${state.plan.route?.name ?? ''} is meant for data of the class ${dataClass}.`
    return block(errors.unknownTarget({ what }))
  }
  const cleared = meant.filter((target) => isCleared(state.plan.policy, target, dataClass))
  if (cleared.length > 0) {
    state.write({ plan: { targets: cleared } })
    return null
  }
  note(state, { rule: 'classification', step: 'content_policy', category: 'classification', action: 'block' })
  return blockByPolicy(errors.modelNotAllowed({ what: `Data of the class ${dataClass} may not be sent there.` }))
}

function record(state: WithPlan & WithFindings, broken: readonly Broken[]): void {
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

function toolRules({ plan: { call, policy } }: WithPlan): readonly Broken[] {
  const { tools } = policy.effective.content
  const listed = call.tools.map(({ name }, index) => ({ name, at: `/tools/${index}` }))
  const offered = [...listed, ...toolsBeside(call)]
  const denied = offered.flatMap(({ name, at }) => (isAllowed(tools, name) ? [] : [blocked('tool-not-allowed', at)]))
  const count = offered.filter((tool) => !isServer(tool)).length
  return count > tools.max_tools ? [...denied, { ...blocked('too-many-tools', '/tools'), count }] : denied
}

function blocked(rule: string, location: string): Broken {
  return { rule, action: 'block', location, count: 1 }
}

function attachmentRules({ plan: { call, policy } }: WithPlan): readonly Broken[] {
  return attachmentsOf(call).flatMap((attachment) => {
    const rule = brokenBy(attachment, policy.effective.content.attachments)
    return rule === null ? [] : [blocked(rule, attachment.location)]
  })
}

function metadataRules({ plan: { call, policy } }: WithPlan): readonly Broken[] {
  return policy.effective.content.required_metadata
    .filter((name) => !Object.hasOwn(call.metadata, name))
    .map((name) => blocked(`metadata-${name}`, `/metadata/${name}`))
}

function systemRules({ plan: { call, policy } }: WithPlan): readonly Broken[] {
  if (!policy.effective.content.system_prompt.lock) return []
  return call.turns.flatMap(({ role, at }, index) =>
    role === 'system' ? [blocked('system-prompt-locked', at ?? `/messages/${index}`)] : [],
  )
}

function conditionRules(state: WithFacts & WithPlan & WithFindings, { kernel }: Parts): readonly Broken[] {
  const conditions = state.plan.policy.conditions.filter(({ on }) => on.includes('input'))
  if (conditions.length === 0) return []
  const variables = variablesOf(state, kernel.clock.iso())
  return conditions
    .filter((condition) => condition.holds(variables))
    .map(({ id, action, message }) => ({ rule: id, action, message, location: '', count: 1 }))
}

/** The mark comes last: it covers the policy's own words too. */
function addPolicyText(state: WithPlan & Writes<WithPlan>): void {
  const { content, output } = state.plan.policy.effective
  state.write({ plan: { call: withPolicyText(state.plan.call, content.system_prompt) } })
  const { markingKey } = state.plan.snapshot
  if (markingKey === undefined || !output.enabled || !output.canary || output.system_prompt_leak === 'allow') return
  state.write({ plan: { call: withMark(state.plan.call, markingKey) } })
}
