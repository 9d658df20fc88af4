import { countInput } from '../money/bounds.ts'
import type { CallState } from '../pipeline/call-state.ts'
import type { Usage } from './call.ts'
import type { UsageFacts } from './chat-schema.ts'
import { countedTokens } from './events.ts'
import { tokensOf } from './tokens.ts'

/** Tokens of the call: the provider's count, an estimate where it gave none, null where no provider was asked. */
export function usageOf(state: CallState): UsageFacts | null {
  if (state.answer === null && state.usage === null) return null
  const usage = state.usage ?? estimate(state)
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

/** By bytes, as before the call: a letter of some scripts is as many tokens as a word of others. */
function estimate({ call, receivedBytes }: CallState): Usage {
  const outputTokens = tokensOf(receivedBytes)
  return countedTokens('estimated', { inputTokens: countInput(call).about, outputTokens })
}
