/**
 * Fields that Converse does not know and a model may know: each vendor's own names. Bedrock refuses fields that a model
 * does not understand, so nothing is lost silently. Pure. Tested in encode.test.ts.
 */
import type { CanonicalCall, Reasoning } from '../../../call/call.ts'
import { UpstreamFault } from '../../fault.ts'

type Fields = Readonly<Record<string, unknown>>

export function modelFields({ topK, reasoning }: CanonicalCall, model: string): Fields | null {
  const fields = { ...topKOf(topK, model), ...reasoningOf(reasoning, model) }
  return Object.keys(fields).length === 0 ? null : fields
}

/** Names of models begin with their vendor's, after the part of the world of a profile; those of a tenant's own say nothing. */
function isOf(vendor: string, model: string): boolean {
  return model.includes(`${vendor}.`)
}

function topKOf(topK: number | null, model: string): Fields {
  if (topK === null) return {}
  if (isOf('amazon', model)) return { inferenceConfig: { topK } }
  return isOf('cohere', model) ? { k: topK } : { top_k: topK }
}

function reasoningOf(reasoning: Reasoning | null, model: string): Fields {
  if (reasoning === null) return {}
  if ('budgetTokens' in reasoning) {
    if (isOf('amazon', model)) throw new UpstreamFault('bad_request', 'This model takes an effort, not a budget.')
    return { thinking: { type: 'enabled', budget_tokens: reasoning.budgetTokens } }
  }
  const { effort } = reasoning
  if (isOf('anthropic', model)) {
    if (effort === 'none') return { thinking: { type: 'disabled' } }
    return { output_config: { effort: effort === 'minimal' ? 'low' : effort } }
  }
  if (!isOf('amazon', model)) return { reasoning_effort: effort }
  if (effort === 'none') return { reasoningConfig: { type: 'disabled' } }
  return { reasoningConfig: { type: 'enabled', maxReasoningEffort: threeSteps[effort] } }
}

const threeSteps = { minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'high', max: 'high' } as const
