/**
 * Prompt and answer for spans, only where the operator has switched it on and the policies of the caller keep content:
 * the call as it was redacted and the answer as it was inspected, in the form of the conventions. Tested in spans.test.ts.
 */

import type { Attributes } from '../../../kernel/observe/otel/port.ts'
import { redactingRules } from '../inspection/denied-texts.ts'
import type { CallParts } from '../pipeline/contract/call-parts.ts'
import { keptCall, messagesOf } from '../records/kept-call.ts'
import { keptAnswer, tookTexts } from '../records/kept-content.ts'
import { names } from './conventions.ts'

/** Characters of one attribute. Truncated JSON would be invalid, so a longer value is left out. */
const longest = 32_768

export function contentOf(state: CallParts): Attributes {
  const {
    plan: { keepable, policy },
    facts,
  } = state
  const { level, payload_ttl_days: days } = policy.effective.retention
  if (keepable === null || level === 'metadata' || days === 0 || facts.asked.retention === 'metadata') return {}
  // Nobody waits here for the texts that a policy takes out to be found.
  if (!tookTexts(state) && redactingRules(policy.rules, 'input').length > 0) return {}
  const input = messagesOf(keptCall(keepable).call).map(({ role, texts, tool_calls: calls }) => ({
    role,
    parts: [...texts.map(textPart), ...calls.map(toolPart)],
  }))
  const reasons = new Map(
    state.answer.inspected.flatMap((event) => (event.type === 'finish' ? [[event.choice, event.reason] as const] : [])),
  )
  const output = keptAnswer(state).map(({ index, text, tool_calls: calls }) => ({
    role: 'assistant',
    parts: [...(text === '' ? [] : [textPart(text)]), ...calls.map(toolPart)],
    finish_reason: reasons.get(index) ?? 'error',
  }))
  return { ...written(names.inputMessages, input), ...written(names.outputMessages, output) }
}

const textPart = (content: string) => ({ type: 'text', content })
const toolPart = (call: { readonly name: string; readonly arguments: string }) => ({ type: 'tool_call', ...call })

function written(name: string, messages: readonly unknown[]): Attributes {
  const text = JSON.stringify(messages)
  return messages.length === 0 || text.length > longest ? {} : { [name]: text }
}
