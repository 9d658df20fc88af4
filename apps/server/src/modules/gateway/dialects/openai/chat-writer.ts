/** An answer in OpenAI's chat form; streams are in chat-stream.ts. Tested in sdk-chat.test.ts and pass-through.test.ts. */

import type { WithAttempts } from '../../attempts/call-attempts.ts'
import { type AnsweredCall, type CollectedChoice, collectAnswer } from '../../call/answer.ts'
import type { AnswerEvent } from '../../call/call.ts'
import type { WithAnswer } from '../../call/call-answer.ts'
import type { WithFacts } from '../../call/facts.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import type { AnswerWriter } from '../dialect.ts'
import { rawHeaders, rawTrailers } from '../raw.ts'
import { finishReason, logprobList, membersOf, type RawBody } from './chat-members.ts'
import { chatStream } from './chat-stream.ts'
import { createdAt, vendorId } from './ids.ts'
import { chatUsage, withVendorUsage } from './usage.ts'

export const openAiChatWriter: AnswerWriter<RawBody> = {
  whole: ({ state }, events) => completionOf(state, events),
  headers: rawHeaders,
  errorHeaders: rawHeaders,
  trailers: rawTrailers,
  stream: chatStream,
}

function completionOf(
  state: WithFacts & WithPlan & WithAttempts & WithAnswer,
  events: readonly AnswerEvent[],
): RawBody {
  const answer = collectAnswer(events)
  const { usage, ...members } = membersOf(answer.extras)
  return {
    ...members,
    id: answer.id ?? vendorId('chatcmpl-', state),
    object: 'chat.completion',
    created: createdAt(state),
    model: answer.model || (state.attempts.served?.model ?? ''),
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

/** A turn without text is an empty text, unless it has other content. */
function contentOf({ text, refusal, toolCalls }: CollectedChoice, own: RawBody): string | null {
  const isElse = refusal !== null || toolCalls.length > 0 || Object.keys(own).length > 0
  return text ?? (isElse ? null : '')
}

function toolCallBody({ id, name, arguments: text, custom, extra }: AnsweredCall): RawBody {
  const own = extra === undefined ? {} : membersOf([extra])
  if (custom === true) return { ...own, id, type: 'custom', custom: { name, input: text } }
  return { ...own, id, type: 'function', function: { name, arguments: text } }
}
