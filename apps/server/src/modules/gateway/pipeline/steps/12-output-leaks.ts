import {
  createOutputStream,
  type Finding,
  namesPlaceholder,
  type OutputStream,
  type OutputStreamOptions,
} from '@parapet/detect'
import type { WithAnswer } from '../../call/call-answer.ts'
import { conversationOf, marksOf, systemTextOf } from '../../inspection/system-text.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import type { Action } from '../../policy/document.ts'
import type { Recorder, StoppingPiece } from './12-output-pieces.ts'
import { enforcedAction } from './12-output-record.ts'

interface Where {
  readonly location: string
  readonly tool: boolean
  readonly record: Recorder
}

/**
 * Characters of the system text and of the conversation that an answer is compared with; comparing is linear in both.
 */
const comparedCharacters = 16_384
/** Nothing these checks find is shorter; most vendor texts are, and hold no blank. */
const shortestFind = 12

/**
 * Filters for text that leaks the system prompt, exfiltrates data or is dangerous to run. Prepared once for all texts
 * of an answer.
 */
export function createLeakFilters(state: WithPlan & WithAnswer): (where: Where) => readonly StoppingPiece[] {
  const { output } = state.plan.policy.effective
  const { links } = output
  const base = leakOptions(state)
  const withLinks = output.markdown_exfiltration !== 'allow'
  const checks = [
    ...(base.systemPrompt === undefined && base.canaries === undefined ? [] : (['canary', 'prompt-leak'] as const)),
    ...(withLinks ? (['links'] as const) : []),
    ...(output.unsafe_code === 'allow' ? [] : (['commands', 'code', 'packages', 'terminal', 'hidden-text'] as const)),
  ]
  if (checks.length === 0) return () => []
  const hosts = links.limit === null ? {} : { allowedHosts: links.limit }
  const all = { checks, ...base, ...hosts }
  // A host that not every policy trusts may be linked to, and still not be sent data.
  const untrusted = withLinks && links.limit !== null && links.limit.join() !== links.trusted.join()
  return (where) => [
    leakFilter(state, all, where),
    ...(untrusted ? [leakFilter(state, { checks: ['links'], ...base }, where)] : []),
  ]
}

function leakOptions(state: WithPlan): OutputStreamOptions {
  const { output } = state.plan.policy.effective
  const conversation = conversationOf(state.plan.call).slice(-comparedCharacters)
  const system = output.system_prompt_leak === 'allow' ? '' : systemTextOf(state.plan.call)
  // A link with a placeholder would carry away the value behind it.
  const knownValues = (value: string): boolean => namesPlaceholder(value, state.plan.vault)
  if (system === '') return { conversation, knownValues }
  return {
    conversation,
    knownValues,
    systemPrompt: system.slice(0, comparedCharacters),
    canaries: marksOf(state.plan.call),
  }
}

function leakFilter(state: WithPlan & WithAnswer, options: OutputStreamOptions, where: Where): StoppingPiece {
  const neutralize = enforcedAction(state, state.plan.policy.effective.output.markdown_exfiltration) === 'redact'
  const onMatch = (finding: Finding): 'flag' | 'block' =>
    enforcedAction(state, actionFor(state, finding)) === 'block' ? 'block' : 'flag'
  let stream: OutputStream | null = null
  let short = ''
  let blocked = false
  const take = (chunk: ReturnType<OutputStream['push']>): string => {
    for (const finding of chunk.findings) recordLeak(state, finding, where)
    blocked ||= chunk.blocked !== undefined
    return chunk.text
  }
  const begin = (): OutputStream =>
    createOutputStream({ channel: where.tool ? 'tool_call' : 'chat', neutralize, onMatch, ...options })
  return {
    blocked: () => blocked,
    push: (text) => {
      if (stream !== null) return take(stream.push(text))
      short += text
      // Behind a blank the first words of an answer can leave.
      if (short.length < shortestFind && !/\s/.test(text)) return ''
      stream = begin()
      return take(stream.push(short))
    },
    end: () => (stream === null ? short : take(stream.end())),
    held: () => stream?.held() ?? short,
  }
}

/** Links this sure are acted on; below, an address is only odd. */
const sureLink = 0.5
/** Repeated words of the system text this many count; fewer are how people talk about a subject. */
const sureLeak = 0.98
const likelyLeak = 0.8

function actionFor(state: WithPlan, { type, score }: Finding): Action {
  const { output } = state.plan.policy.effective
  switch (type) {
    case 'canary':
      return output.system_prompt_leak
    case 'system-prompt-leak':
      return score >= sureLeak
        ? output.system_prompt_leak
        : score >= likelyLeak
          ? atMostFlag(output.system_prompt_leak)
          : 'allow'
    case 'markdown-exfiltration':
    case 'html-exfiltration':
    case 'script-url':
      return score >= sureLink ? output.markdown_exfiltration : 'allow'
    default:
      return score >= sureLink ? output.unsafe_code : 'allow'
  }
}

function atMostFlag(action: Action): Action {
  return action === 'allow' ? 'allow' : 'flag'
}

function recordLeak(state: WithPlan, finding: Finding, { location, record }: Where): void {
  const action = actionFor(state, finding)
  if (action === 'allow') return
  record({ rule: finding.type, category: 'output', action, location })
}
