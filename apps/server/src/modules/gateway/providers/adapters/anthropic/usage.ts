/**
 * Anthropic counts cache reads and cache writes beside the input; we include them in it. Pure. Tested in
 * decode.test.ts.
 */
import type { Usage } from '../../../call/call.ts'
import { countedTokens } from '../../../call/events.ts'
import { servedTier } from '../service-tier.ts'
import type { AnthropicUsage } from './schema.ts'

export function readUsage(usage: AnthropicUsage): Usage {
  const cached = usage.cache_read_input_tokens ?? 0
  const written = usage.cache_creation_input_tokens ?? 0
  const hour = Math.min(written, usage.cache_creation?.ephemeral_1h_input_tokens ?? 0)
  return countedTokens('upstream', {
    inputTokens: (usage.input_tokens ?? 0) + cached + written,
    cachedTokens: cached,
    cacheWrite5mTokens: written - hour,
    cacheWrite1hTokens: hour,
    outputTokens: usage.output_tokens ?? 0,
    reasoningTokens: Math.min(usage.output_tokens ?? 0, usage.output_tokens_details?.thinking_tokens ?? 0),
    ...servedTier(usage.service_tier),
  })
}

/**
 * Counts of a stream: those of its end stand before those of its beginning. A 0 at the end takes nothing back, as servers
 * that count the input only at the beginning write one there.
 */
export function laterUsage(first: AnthropicUsage, last: AnthropicUsage): AnthropicUsage {
  return { ...first, ...Object.fromEntries(Object.entries(last).filter(([, value]) => saysSome(value))) }
}

function saysSome(value: unknown): boolean {
  if (typeof value !== 'object') return value !== undefined && value !== 0
  return value !== null && Object.values(value).some(saysSome)
}
