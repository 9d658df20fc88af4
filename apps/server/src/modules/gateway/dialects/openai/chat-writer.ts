/** An answer in OpenAI's chat form; streams are in chat-stream.ts. Tested in sdk-chat.test.ts and pass-through.test.ts. */
import { type AnsweredCall, type CollectedChoice, collectAnswer } from '../../call/answer.ts'
import type { AnswerEvent, TokenLogprob } from '../../call/call.ts'
import type { CallState } from '../../pipeline/call-state.ts'
import type { AnswerWriter } from '../dialect.ts'
import { rawHeaders, rawTrailers } from '../raw.ts'
import { chatStream } from './chat-stream.ts'
import { createdAt, vendorId } from './ids.ts'
import { chatUsage, withVendorUsage } from './usage.ts'

/** Open, because a vendor's own members are in it. */
export type RawBody = Readonly<Record<string, unknown>>

export const openAiChatWriter: AnswerWriter<RawBody> = {
  whole: ({ state }, events) => completionOf(state, events),
  headers: rawHeaders,
  errorHeaders: rawHeaders,
  trailers: rawTrailers,
  stream: chatStream,
}

function completionOf(state: CallState, events: readonly AnswerEvent[]): RawBody {
  const answer = collectAnswer(events)
  const { usage, ...members } = membersOf(answer.extras)
  return {
    ...members,
    id: answer.id ?? vendorId('chatcmpl-', state),
    object: 'chat.completion',
    created: createdAt(state),
    model: answer.model || (state.served?.model ?? ''),
    choices: answer.choices.map(choiceBody),
    usage: withVendorUsage(chatUsage(state), usage),
    ...(answer.fingerprint === null ? {} : { system_fingerprint: answer.fingerprint }),
  }
}

function choiceBody(choice: CollectedChoice): RawBody {
  const { index, refusal, reasoning, toolCalls, finish, native, logprobs, extras } = choice
  const own = membersOf(extras.filter(({ of }) => of === 'message'))
  return {
    ...membersOf(extras.filter(({ of }) => of === 'choice')),
    index,
    message: {
      ...own,
      role: 'assistant',
      content: contentOf(choice, own),
      refusal,
      ...(reasoning === null ? {} : { reasoning_content: reasoning }),
      ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(toolCallBody) }),
    },
    logprobs:
      logprobs.text.length + logprobs.refusal.length === 0
        ? null
        : { content: logprobList(logprobs.text), refusal: logprobList(logprobs.refusal) },
    finish_reason: finishReason(finish, native),
  }
}

/** A turn without a word is an empty text, unless it is something else instead. */
function contentOf({ text, refusal, toolCalls }: CollectedChoice, own: RawBody): string | null {
  const isElse = refusal !== null || toolCalls.length > 0 || Object.keys(own).length > 0
  return text ?? (isElse ? null : '')
}

function toolCallBody({ id, name, arguments: text, custom, extra }: AnsweredCall): RawBody {
  const own = extra === undefined ? {} : membersOf([extra])
  if (custom === true) return { ...own, id, type: 'custom', custom: { name, input: text } }
  return { ...own, id, type: 'function', function: { name, arguments: text } }
}

/** Reasons have the names of this form; the older form of tools has one more. */
export function finishReason(reason: string, native: string | null | undefined): string {
  return native === 'function_call' ? native : reason
}

export function logprobList(tokens: readonly TokenLogprob[]): readonly RawBody[] | null {
  if (tokens.length === 0) return null
  return tokens.map(({ top, ...token }) => ({ ...token, top_logprobs: top }))
}

/** Members that came from a provider that speaks this form; what others add has no place in it. */
export function membersOf(
  extras: readonly { readonly form: string; readonly members: Readonly<Record<string, unknown>> }[],
): Record<string, unknown> {
  return Object.assign({}, ...extras.filter(({ form }) => form === 'openai_chat').map(({ members }) => members))
}
