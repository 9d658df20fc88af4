/** Anthropic's messages from providers: canonical events of a complete answer. Streams are in stream.ts. Pure. Tested in decode.test.ts. */
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { AnswerEvent, CanonicalCall } from '../../../call/call.ts'
import type { FinishReason } from '../../../call/finish-reason.ts'
import { UpstreamFault } from '../../fault.ts'
import { errorInAnswer } from '../../said-error.ts'
import { createBlockReader } from './blocks.ts'
import { faultOfEvent, parseJson } from './errors.ts'
import { anthropicForm, restOf } from './own-events.ts'
import { type AnthropicEnd, AnthropicMessage } from './schema.ts'
import { readUsage } from './usage.ts'

/** Events of a complete answer. @throws UpstreamFault `invalid` */
export function decodeAnswer(text: string, { form }: Pick<CanonicalCall, 'form'>): readonly AnswerEvent[] {
  const message = parseJson(text)
  const said = errorInAnswer(message, 'content')
  if (said !== null) throw faultOfEvent(said)
  if (!fits(AnthropicMessage, message)) throw new UpstreamFault('invalid', 'it is not a message')
  const keeps = form === anthropicForm
  const blocks = createBlockReader(keeps)
  return [
    startOf(message),
    ...(keeps ? [answerExtra(restOf(message, knownOfMessage))] : []),
    ...message.content.flatMap((block) => [...blocks.begin(block), ...blocks.end()]),
    ...(keeps ? endExtra(pick(message, ofTheEnd), message) : []),
    finishOf(message),
    ...(message.usage ? [{ type: 'usage', usage: readUsage(message.usage) } as const] : []),
  ]
}

/** Members that are understood, or written anew by the encoder of the answer. */
const knownOfMessage = new Set([
  ...['id', 'type', 'role', 'model', 'content', 'stop_reason', 'stop_sequence'],
  ...['stop_details', 'container'],
])
/** Members of a message that a stream tells at its end. */
const ofTheEnd = ['stop_details', 'container'] as const

function pick(record: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)))
}

export function startOf({ id, model }: { readonly id?: string; readonly model?: string }): AnswerEvent {
  return { type: 'start', model: model ?? '', fingerprint: null, ...(id ? { id } : {}) }
}

export function answerExtra(members: Readonly<Record<string, unknown>>): AnswerEvent {
  return { type: 'answer_extra', form: anthropicForm, members }
}

/** Members of the end that are not understood; a reason we have no word for is one of them. */
export function endExtra(
  members: Readonly<Record<string, unknown>>,
  { stop_reason: reason }: AnthropicEnd,
): AnswerEvent[] {
  const unknown = reason && !Object.hasOwn(reasons, reason) ? { stop_reason: reason } : {}
  const all = { ...members, ...unknown }
  if (Object.keys(all).length === 0) return []
  return [{ type: 'extra', of: 'choice', choice: 0, form: anthropicForm, members: all }]
}

export const reasons: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

/** The reason in our words, and the vendor's own. */
export function finishOf({ stop_reason: native, stop_sequence: sequence }: AnthropicEnd): AnswerEvent {
  const reason = native && Object.hasOwn(reasons, native) ? reasons[native] : undefined
  return {
    type: 'finish',
    choice: 0,
    reason: reason ?? 'stop',
    ...(native ? { native } : {}),
    ...(sequence ? { stopSequence: sequence } : {}),
  }
}
