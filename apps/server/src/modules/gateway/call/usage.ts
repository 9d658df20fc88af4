import type { CallState } from '../pipeline/call-state.ts'
import type { AnswerEvent, CanonicalCall, Usage } from './call.ts'
import type { UsageFacts } from './chat-schema.ts'
import { noTokens } from './events.ts'
import { tokensOf } from './tokens.ts'

/** Tokens of the call: the provider's count, an estimate where it gave none, null where no provider was asked. */
export function usageOf(state: CallState): UsageFacts | null {
  if (state.answer === null && state.usage === null) return null
  const usage = state.usage ?? estimate(state.call, state.inspected)
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    cached_tokens: usage.cachedTokens,
    reasoning_tokens: usage.reasoningTokens,
    cache_write_tokens: usage.cacheWrite5mTokens + usage.cacheWrite1hTokens,
    usage_source: usage.source,
  }
}

function estimate(call: CanonicalCall, events: readonly AnswerEvent[]): Usage {
  const input = call.turns.reduce(
    (sum, turn) => sum + turn.parts.reduce((all, part) => all + ('text' in part ? (part.text ?? '').length : 0), 0),
    0,
  )
  const output = events.reduce((sum, event) => sum + ('text' in event ? event.text.length : 0), 0)
  return {
    inputTokens: tokensOf(input),
    outputTokens: tokensOf(output),
    ...noTokens,
    source: 'estimated',
  }
}
