/**
 * Google counts thoughts beside the output and tool results beside the prompt; we include them. Pure. Tested in
 * decode.test.ts.
 */
import type { Usage } from '../../../call/call.ts'
import { countedTokens } from '../../../call/events.ts'
import type { GeminiUsage } from './schema.ts'

export function readUsage(usage: GeminiUsage): Usage {
  const inputTokens = (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0)
  const thoughts = usage.thoughtsTokenCount ?? 0
  return countedTokens('upstream', {
    inputTokens,
    cachedTokens: Math.min(inputTokens, usage.cachedContentTokenCount ?? 0),
    inputAudioTokens: ofKind(usage.promptTokensDetails, 'AUDIO'),
    inputImageTokens: ofKind(usage.promptTokensDetails, 'IMAGE'),
    outputTokens: (usage.candidatesTokenCount ?? 0) + thoughts,
    reasoningTokens: thoughts,
    outputAudioTokens: ofKind(usage.candidatesTokensDetails, 'AUDIO'),
  })
}

function ofKind(details: GeminiUsage['promptTokensDetails'], kind: string): number {
  return (details ?? []).reduce((sum, { modality, tokenCount }) => sum + (modality === kind ? (tokenCount ?? 0) : 0), 0)
}
