import { isRecord } from '../../../../kernel/base/is-record.ts'
import type { WithAnswer } from '../../call/call-answer.ts'
import { usageOf } from '../../money/usage.ts'
import type { WithPlan } from '../../plan/call-plan.ts'

/** Tokens as chat answers count them. */
export function chatUsage(state: WithPlan & WithAnswer) {
  const { input, output, total, written } = countsOf(state)
  const {
    answer: { usage },
  } = state
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: total,
    prompt_tokens_details: {
      cached_tokens: usage?.cachedTokens ?? 0,
      // Most models have no charged cache writes, and their answers have no such member.
      ...(written === 0 ? {} : { cache_write_tokens: written }),
      audio_tokens: usage?.inputAudioTokens ?? 0,
    },
    completion_tokens_details: {
      reasoning_tokens: usage?.reasoningTokens ?? 0,
      audio_tokens: usage?.outputAudioTokens ?? 0,
    },
  }
}

/** The usage, with further usage members reported by a vendor of this form. */
export function withVendorUsage(usage: object, own: unknown): object {
  if (!isRecord(own)) return usage
  const ours = Object.entries(usage).map(([name, value]: [string, unknown]) => {
    const beside = own[name]
    return [name, isRecord(value) && isRecord(beside) ? { ...beside, ...value } : value] as const
  })
  return { ...own, ...Object.fromEntries(ours) }
}

/** Tokens as responses count them. */
export function responseUsage(state: WithPlan & WithAnswer) {
  const { input, output, total, written } = countsOf(state)
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: state.answer.usage?.cachedTokens ?? 0, cache_write_tokens: written },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: state.answer.usage?.reasoningTokens ?? 0 },
    total_tokens: total,
  }
}

/** Tokens as lists of embeddings count them. */
export function embeddingUsage(state: WithPlan & WithAnswer) {
  const { input } = countsOf(state)
  return { prompt_tokens: input, total_tokens: input }
}

function countsOf(state: WithPlan & WithAnswer) {
  const usage = usageOf(state)
  return {
    input: usage?.prompt_tokens ?? 0,
    output: usage?.completion_tokens ?? 0,
    total: usage?.total_tokens ?? 0,
    written: usage?.cache_write_tokens ?? 0,
  }
}
