/** Our own form of an answer, enveloped; streams are in stream.ts. Tested in chat.test.ts. */

import { collectAnswer } from '../../call/answer.ts'
import type { AnswerEvent, ToolCall } from '../../call/call.ts'
import { usageOf } from '../../money/usage.ts'
import type { CallParts } from '../../pipeline/contract/call-parts.ts'
import { costOf, securityOf } from '../../records/row.ts'
import type { ChatCompletion } from '../../schemas/chat-schema.ts'
import type { AnswerWriter } from '../dialect.ts'
import { factHeaders, modeHeader } from '../fact-headers.ts'
import { timingHeader, timingTrailer } from '../server-timing.ts'
import { chunkStream } from './stream.ts'

export interface Shown {
  readonly timings: boolean
}

export function parapetWriter({ timings }: Shown): AnswerWriter<ChatCompletion> {
  return {
    whole: ({ state }, events) => completionOf(state, events),
    headers: (context) => ({ ...factHeaders(context.state), ...timingHeader(context, timings) }),
    errorHeaders: (context) => ({ ...modeHeader(context.state), ...timingHeader(context, timings) }),
    trailers: (context) => timingTrailer(context, timings),
    stream: (context) => chunkStream(context, () => summaryOf(context.state)),
  }
}

/** Summary of a call that accompanies its answer. */
function summaryOf(state: CallParts) {
  return {
    id: state.facts.id,
    provider: state.attempts.served?.provider.name ?? '',
    usage: usageOf(state) ?? noUsage,
    cost: costOf(state),
    cache: state.cached.status,
    mode: state.plan.policy.effective.mode,
    security: securityOf(state),
  }
}

const noUsage = {
  prompt_tokens: 0,
  completion_tokens: 0,
  total_tokens: 0,
  cached_tokens: 0,
  reasoning_tokens: 0,
  usage_source: 'estimated',
} as const

function completionOf(state: CallParts, events: readonly AnswerEvent[]): ChatCompletion {
  const answer = collectAnswer(events)
  return {
    ...summaryOf(state),
    object: 'chat.completion',
    created: Math.floor(Date.parse(state.facts.startedAt) / 1000),
    model: answer.model || (state.attempts.served?.model ?? ''),
    system_fingerprint: answer.fingerprint,
    choices: answer.choices.map(({ index, text, refusal, reasoning, toolCalls, finish }) => ({
      index,
      message: {
        role: 'assistant',
        content: text,
        refusal,
        ...(reasoning === null ? {} : { reasoning_content: reasoning }),
        ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(toolCallBody) }),
      },
      finish_reason: finish,
    })),
  }
}

function toolCallBody({ id, name, arguments: text }: ToolCall) {
  return { id, type: 'function' as const, function: { name, arguments: text } }
}
