/**
 * Usage as OpenAI and compatible servers count it. Parts of the prompt are included in its count. Pure. Tested in
 * usage.test.ts.
 */
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { AnswerEvent, Usage } from '../../../call/call.ts'
import { countedTokens } from '../../../call/events.ts'
import { OpenAiUsage } from './schema.ts'

/**
 * Empty if prompt or answer were not counted, or the counts are malformed: usage is estimated then, and the answer is
 * still valid.
 */
export function usageOf(usage: unknown, tier: Pick<Usage, 'serviceTier'> = {}): readonly AnswerEvent[] {
  const said = fits(OpenAiUsage, usage) ? usage : {}
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = said
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return []
  const { prompt_tokens_details: read, completion_tokens_details: written } = said
  const counted = countedTokens('upstream', {
    inputTokens,
    cachedTokens: read?.cached_tokens ?? 0,
    cacheWrite5mTokens: read?.cache_write_tokens ?? 0,
    inputAudioTokens: read?.audio_tokens ?? 0,
    outputTokens,
    reasoningTokens: written?.reasoning_tokens ?? 0,
    outputAudioTokens: written?.audio_tokens ?? 0,
  })
  return [{ type: 'usage', usage: { ...counted, ...tier } }]
}

/** Of vectors, for which nothing is written. */
export function usageOfVectors(usage: unknown): readonly AnswerEvent[] {
  const inputTokens = fits(OpenAiUsage, usage) ? usage.prompt_tokens : null
  if (typeof inputTokens !== 'number') return []
  return [{ type: 'usage', usage: countedTokens('upstream', { inputTokens, outputTokens: 0 }) }]
}
