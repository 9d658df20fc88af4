/** What OpenAI, and who speaks like it, counts as used. Parts of the prompt are counted in it. Pure. Tested in usage.test.ts. */
import type { AnswerEvent, Usage } from '../../../call/call.ts'
import { countedTokens } from '../../../call/events.ts'
import type { OpenAiUsage } from './schema.ts'

/** None where the prompt was not counted: it is estimated then, and an answer is no less one. */
export function usageOf(
  usage: OpenAiUsage | null | undefined,
  tier: Pick<Usage, 'serviceTier'> = {},
): readonly AnswerEvent[] {
  if (typeof usage?.prompt_tokens !== 'number') return []
  const { prompt_tokens_details: read, completion_tokens_details: said } = usage
  const counted = countedTokens('upstream', {
    inputTokens: usage.prompt_tokens,
    cachedTokens: read?.cached_tokens ?? 0,
    cacheWrite5mTokens: read?.cache_write_tokens ?? 0,
    inputAudioTokens: read?.audio_tokens ?? 0,
    outputTokens: usage.completion_tokens ?? 0,
    reasoningTokens: said?.reasoning_tokens ?? 0,
    outputAudioTokens: said?.audio_tokens ?? 0,
  })
  return [{ type: 'usage', usage: { ...counted, ...tier } }]
}
