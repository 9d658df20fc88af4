import type { Usage } from '../call/call.ts'
import type { WithAnswer } from '../call/call-answer.ts'
import { countedTokens } from '../call/events.ts'
import { tokensOf } from '../call/tokens.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import type { UsageFacts } from '../schemas/chat-schema.ts'
import { countInput } from '../tokens/bounds.ts'

/** Tokens of the call: the provider's count, an estimate if it gave none, null if no provider was asked. */
export function usageOf(state: WithPlan & WithAnswer): UsageFacts | null {
  if (state.answer.flow === null && state.answer.usage === null) return null
  const usage = state.answer.usage ?? estimate(state)
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

/** By bytes, as before the call: a letter of some scripts takes as many tokens as a word of others. */
function estimate({ plan: { call }, answer: { receivedBytes } }: WithPlan & WithAnswer): Usage {
  const outputTokens = tokensOf(receivedBytes)
  return countedTokens('estimated', { inputTokens: countInput(call).about, outputTokens })
}
