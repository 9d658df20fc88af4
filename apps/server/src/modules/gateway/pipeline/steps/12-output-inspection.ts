import { createInspectStream, createVault, type Finding, type InspectAction } from '@parapet/detect'
import type { AnswerEvent } from '../../call/call.ts'
import { type EventFilter, textFilter, through } from '../../call/event-filter.ts'
import { errors } from '../../errors.ts'
import type { EffectivePolicy } from '../../policy/merge.ts'
import type { CallState } from '../call-state.ts'
import { note } from '../findings.ts'
import type { PipelineParts } from '../parts.ts'
import { failureProblem, stepClock } from '../run.ts'
import { entityOf, hiddenTypes } from '../sensitive-texts.ts'
import { allow, type Step } from '../step.ts'

/** Inspects every text of the answer before it can leave, a stream as it comes. An answer from the cache was inspected. */
export function outputInspection(parts: PipelineParts): Step {
  return {
    n: 12,
    name: 'output_inspection',
    budgetMs: 1,
    onFailure: 'output_inspection',
    run: (state) => {
      const { answer } = state
      if (answer === null || state.cache === 'hit' || state.cache === 'joined') return allow
      const before = state.violations.length
      const inspected = inspects(state) ? guarded(state, inspection(state)) : passThrough
      state.answer = through(answer, keeping(state, inspected), stepClock(parts.kernel, state, 12))
      if (state.error !== null) return { decision: 'block', error: state.error, byPolicy: true }
      return state.violations.length > before ? { decision: 'flag' } : allow
    },
  }
}

function inspects({ policy }: CallState): boolean {
  return policy.effective.output.enabled && policy.effective.mode !== 'off'
}

const passThrough: EventFilter = { push: (event) => [event], end: () => [] }

/** Remembers what was released, for the log and the cache. */
function keeping(state: CallState, filter: EventFilter): EventFilter {
  const keep = (events: readonly AnswerEvent[]): readonly AnswerEvent[] => {
    for (const event of events) {
      state.inspected.push(event)
      if (event.type === 'usage') state.usage = event.usage
    }
    return events
  }
  return { push: (event) => keep(filter.push(event)), end: () => keep(filter.end()) }
}

/** A detector that fails ends the answer, unless the policy lets it pass unseen. */
function guarded(state: CallState, filter: EventFilter): EventFilter {
  let broken = false
  const attempt = (work: () => readonly AnswerEvent[], unseen: readonly AnswerEvent[]): readonly AnswerEvent[] => {
    if (broken) return unseen
    try {
      return work()
    } catch (error) {
      if (error instanceof OutputBlock) throw error.problem
      broken = true
      if (state.policy.effective.failure.output_inspection === 'closed')
        throw failureProblem('output_inspection', error)
      state.failOpen.push('output_inspection')
      return unseen
    }
  }
  return {
    push: (event) => attempt(() => filter.push(event), [event]),
    end: () => attempt(() => filter.end(), []),
  }
}

class OutputBlock extends Error {
  readonly problem: Error
  constructor(problem: Error) {
    super(problem.message)
    this.problem = problem
  }
}

function inspection(state: CallState): EventFilter {
  const rules = state.policy.effective.output
  // One vault for the placeholders of the answer: equal values stay equal across choices, and none is ever restored.
  const vault = createVault()
  const detectors = [
    ...(rules.sensitive_data === 'allow' ? [] : ['pii' as const]),
    ...(rules.secrets === 'allow' ? [] : ['secret' as const]),
  ]
  // What callers may send in the clear is no secret in an answer; and looking for it would hold back every capital.
  const types = hiddenTypes(state.policy.effective.sensitive_data)
  let stopped = false
  const filter = textFilter(({ location }) => {
    const onMatch = (finding: Finding): InspectAction => actionOf(state, rules, finding)
    const stream = createInspectStream({ detectors, types, onMatch, vault })
    const take = (chunk: ReturnType<typeof stream.push>): string => {
      for (const finding of chunk.findings) recordFinding(state, rules, { finding, location })
      if (chunk.blocked !== undefined) stopped = true
      return chunk.text
    }
    return { push: (text) => take(stream.push(text)), end: () => take(stream.end()) }
  })
  return stopping(state, filter, () => stopped)
}

function configured(rules: EffectivePolicy['output'], { detector }: Finding) {
  return detector === 'secret' ? rules.secrets : rules.sensitive_data
}

function actionOf(state: CallState, rules: EffectivePolicy['output'], finding: Finding): InspectAction {
  const action = configured(rules, finding)
  if (action === 'block' && state.policy.effective.mode !== 'enforce') return 'flag'
  return action === 'allow' ? 'flag' : action
}

function recordFinding(
  state: CallState,
  rules: EffectivePolicy['output'],
  { finding, location }: { readonly finding: Finding; readonly location: string },
): void {
  const action = configured(rules, finding)
  state.piiDetected = true
  if (action === 'block' && state.policy.effective.mode !== 'enforce') {
    state.monitored ??= { n: 12, name: 'output_inspection', code: errors.outputBlocked.code }
  }
  state.redacted ||= action === 'redact'
  state.entities.set(finding.type, (state.entities.get(finding.type) ?? 0) + 1)
  const category = entityOf(finding) === 'SECRET' ? 'secret' : 'personal_data'
  note(state, { rule: finding.type, step: 'output_inspection', category, action, location })
}

/** Ends the answer at a block: with the text before it and `content_filter`, or with the problem. */
function stopping(state: CallState, filter: EventFilter, isStopped: () => boolean): EventFilter {
  let over = false
  const take = (events: readonly AnswerEvent[]): readonly AnswerEvent[] => {
    if (!isStopped()) return events
    over = true
    const names = [
      ...new Set(
        state.violations
          .filter(({ step, action }) => step === 'output_inspection' && action === 'block')
          .map(({ rule_id }) => rule_id),
      ),
    ]
    const problem = errors.outputBlocked({ names })
    state.blockedAt = 'output'
    state.blockedStep = { n: 12, name: 'output_inspection' }
    state.error = problem
    if (state.policy.effective.streaming.on_block === 'error' || state.facts.request.stream !== true)
      throw new OutputBlock(problem)
    return [
      ...events.filter(({ type }) => type === 'text'),
      { type: 'finish', choice: choiceOf(events), reason: 'content_filter' },
    ]
  }
  return {
    push: (event) => (over ? [] : take(filter.push(event))),
    end: () => (over ? [] : take(filter.end())),
  }
}

function choiceOf(events: readonly AnswerEvent[]): number {
  const [first] = events.filter((event) => 'choice' in event)
  return first !== undefined && 'choice' in first ? first.choice : 0
}
