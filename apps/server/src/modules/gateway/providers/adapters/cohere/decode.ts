/** Cohere's chat (v2) from providers: canonical events of a complete answer. Streams are in stream.ts. Pure. Tested in cohere.test.ts. */
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { AnswerEvent, Usage } from '../../../call/call.ts'
import { countedTokens } from '../../../call/events.ts'
import type { FinishReason } from '../../../call/finish-reason.ts'
import { faultOfStatus, scrub, UpstreamFault } from '../../fault.ts'
import { parseJson } from '../openai/decode.ts'
import { CohereAnswer, type CohereUsage } from './schema.ts'

/** Events of a complete answer. @throws UpstreamFault `invalid` */
export function decodeAnswer(text: string): readonly AnswerEvent[] {
  const answer = parseJson(text)
  if (!fits(CohereAnswer, answer)) throw new UpstreamFault('invalid', 'it is no chat answer')
  const { content, tool_plan: plan, tool_calls: calls } = answer.message
  return [
    startOf(answer),
    ...textOf('reasoning', plan),
    ...(content ?? []).flatMap(({ text: said, thinking }) => [
      ...textOf('reasoning', thinking),
      ...textOf('text', said),
    ]),
    ...(calls ?? []).flatMap((call, index): AnswerEvent[] => [
      { type: 'tool_call', choice: 0, index, id: call.id, name: call.function.name },
      { type: 'tool_arguments', choice: 0, index, text: call.function.arguments || '{}' },
    ]),
    ...endOf(answer.finish_reason, answer.usage),
  ]
}

/** It does not say which model answered. */
export function startOf({ id }: { readonly id?: string }): AnswerEvent {
  return { type: 'start', model: '', fingerprint: null, ...(id ? { id } : {}) }
}

export function textOf(channel: 'text' | 'reasoning', text: string | null | undefined): readonly AnswerEvent[] {
  return text ? [{ type: 'text', choice: 0, channel, text }] : []
}

const reasons: Readonly<Record<string, FinishReason>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool_calls',
  ERROR_TOXIC: 'content_filter',
}

/** @throws UpstreamFault where the end is a failure */
export function endOf(native: string, usage: CohereUsage | null | undefined, error?: string | null): AnswerEvent[] {
  if (native === 'TIMEOUT') throw faultOfStatus(408, '', null)
  if (native === 'ERROR') throw new UpstreamFault('server_error', scrub(error ?? 'the answer ended with an error'))
  const reason = Object.hasOwn(reasons, native) ? reasons[native] : undefined
  return [
    { type: 'finish', choice: 0, reason: reason ?? 'stop', native },
    ...(usage ? [{ type: 'usage', usage: readUsage(usage) } as const] : []),
  ]
}

/**
 * Billed tokens count; they are fewer than the tokens the model read, because the vendor's own text around the prompt
 * is free.
 */
export function readUsage({ billed_units: billed, tokens, cached_tokens: cached }: CohereUsage): Usage {
  const inputTokens = Math.ceil(billed?.input_tokens ?? tokens?.input_tokens ?? 0)
  return countedTokens('upstream', {
    inputTokens,
    cachedTokens: Math.min(inputTokens, Math.ceil(cached ?? 0)),
    outputTokens: Math.ceil(billed?.output_tokens ?? tokens?.output_tokens ?? 0),
  })
}
