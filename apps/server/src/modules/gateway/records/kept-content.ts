/**
 * The content of a call that may be kept. Promises that kept content holds nothing the policy hides from providers
 * (except in the original, where a policy wants that), also when the call ended before its redaction, and that without
 * a working detector nothing is kept at all; encryption is payload.ts. Tested in chat-retention.test.ts.
 */

import { collectAnswer } from '../call/answer.ts'
import type { CanonicalCall } from '../call/call.ts'
import type { WithAnswer } from '../call/call-answer.ts'
import type { WithFacts } from '../call/facts.ts'
import { mapTexts, textsOf } from '../call/texts/texts.ts'
import type { WithFindings } from '../findings/call-findings.ts'
import { monitoredStream } from '../findings/monitored-stream.ts'
import type { Analyses } from '../inspection/analyses.ts'
import { findersFor, redactingRules, withoutDenied } from '../inspection/denied-texts.ts'
import { hideSensitive } from '../inspection/hidden-call.ts'
import { withoutInvisible } from '../inspection/invisible-text.ts'
import { hideInAnswer } from '../inspection/sensitive-texts.ts'
import { textsAcross } from '../inspection/split-values.ts'
import type { CallParts } from '../pipeline/contract/call-parts.ts'
import type { WithProgress } from '../pipeline/progress/call-progress.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { anyRoute, callerPolicies } from '../policy/callers.ts'
import type { CompiledPolicy, TextRule } from '../policy/compile.ts'
import type { EffectivePolicy } from '../policy/merge.ts'
import type { Payload } from '../schemas/request.ts'
import { type KeptCall, keptCall, messagesOf } from './kept-call.ts'
import { originalOf } from './original.ts'

export interface KeptContent {
  readonly payload: Payload
  /** The redacted call itself. */
  readonly kept: KeptCall
  /** As the caller sent and got it; null where that is not kept. */
  readonly original: Payload | null
  /** Days after which it is removed. */
  readonly days: number
}

/** Null when the policy keeps none, or when the content to hide cannot be determined. */
export async function keptContent(analyses: Analyses, state: CallParts): Promise<KeptContent | null> {
  // Nothing was read, so nothing is known about the caller's policies either.
  if (state.plan.call.turns.length === 0 && state.plan.call.embed === null) return null
  const compiled = policyOf(state)
  const policy = compiled.effective
  const { level, payload_ttl_days: days } = policy.retention
  if (level === 'metadata' || days === 0 || state.facts.asked.retention === 'metadata') return null
  try {
    const hidden = state.plan.keepable ?? (await hiddenCall(analyses, state, policy))
    if (hidden === null) return null
    const call = await withoutTexts(analyses, state, { call: hidden, rules: compiled.rules })
    const payload = { messages: messagesOf(call), answer: await hiddenAnswer(analyses, state, compiled) }
    return { payload, kept: keptCall(call), original: originalOf(state, policy), days }
  } catch {
    // The detectors' own failure; a step that failed on the same text has been recorded as failed.
    return null
  }
}

/** The policies of the caller also for a call that ended before they were looked up. */
function policyOf({ plan: { policy, snapshot, route }, facts }: WithFacts & WithPlan): CompiledPolicy {
  const principal = { ...facts.actor, routeId: route?.id ?? anyRoute }
  return policy.sources.length > 0 ? policy : callerPolicies(snapshot, principal, null)
}

/** Whether the step that takes denied texts out of a call has seen it. */
export const tookTexts = ({ progress: { steps } }: WithProgress): boolean =>
  steps.some(({ name }) => name === 'content_policy')

async function withoutTexts(
  analyses: Analyses,
  state: WithPlan & WithProgress,
  { call, rules }: { readonly call: CanonicalCall; readonly rules: readonly TextRule[] },
): Promise<CanonicalCall> {
  const redacting = redactingRules(rules, 'input')
  if (redacting.length === 0 || tookTexts(state)) return call
  const find = await findersFor(analyses, state, { call, rules: redacting })
  return withoutDenied(call, { rules: redacting, find, known: null }).call
}

/** As the steps would have left it; null when it is more than is inspected. */
async function hiddenCall(analyses: Analyses, state: WithPlan, policy: EffectivePolicy): Promise<CanonicalCall | null> {
  const {
    plan: { call },
  } = state
  const { max_inspect_bytes: most, strip_invisible: strips } = policy.normalization
  if (textsOf(call).reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) > most) return null
  const seen = strips ? mapTexts(call, ({ text }) => withoutInvisible(text).shown) : call
  const find = await analyses.forRecord(
    state,
    [...textsOf(seen).map(({ text }) => text), ...textsAcross(seen, policy.sensitive_data)],
    policy.sensitive_data.custom,
  )
  return hideSensitive(seen, policy.sensitive_data, find)
}

async function hiddenAnswer(
  analyses: Analyses,
  state: WithFindings & WithAnswer,
  policy: CompiledPolicy,
): Promise<Payload['answer']> {
  const answer = plainAnswer(state)
  if (wasInspected(state, policy.effective)) return answer
  const texts = answer.flatMap(({ text, tool_calls }) => [text, ...tool_calls.map((call) => call.arguments)])
  const hidden = (await analyses.hideInAnswer(texts, policy)).values()
  const next = (): string => hidden.next().value ?? ''
  return answer.map((choice) => ({
    ...choice,
    text: next(),
    tool_calls: choice.tool_calls.map((call) => ({ ...call, arguments: next() })),
  }))
}

/** The answer as it may be kept and compared. */
export function keptAnswer(state: WithFacts & WithPlan & WithFindings & WithAnswer): Payload['answer'] {
  return answerOf(state, policyOf(state))
}

function answerOf(state: WithFindings & WithAnswer, policy: CompiledPolicy): Payload['answer'] {
  const answer = plainAnswer(state)
  if (wasInspected(state, policy.effective)) return answer
  return answer.map(({ index, text, tool_calls }) => ({
    index,
    text: hideInAnswer(text, policy),
    tool_calls: tool_calls.map(({ name, arguments: said }) => ({ name, arguments: hideInAnswer(said, policy) })),
  }))
}

function plainAnswer({ answer: { inspected } }: WithAnswer): Payload['answer'] {
  return collectAnswer(inspected).choices.map(({ index, text, toolCalls }) => ({
    index,
    text: text ?? '',
    tool_calls: toolCalls.map(({ name, arguments: said }) => ({ name, arguments: said })),
  }))
}

const unseen = ['output_inspection', monitoredStream]

/**
 * Whether the output step has hidden the values that the policy hides: a monitoring policy lets through values that it
 * would block.
 */
function wasInspected({ findings: { failOpen } }: WithFindings, { mode, output }: EffectivePolicy): boolean {
  return !output.enabled || (mode === 'enforce' && !unseen.some((name) => failOpen.includes(name)))
}
