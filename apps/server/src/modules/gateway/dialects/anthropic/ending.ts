/** Beginning and end of an Anthropic answer, around its blocks. Pure. Tested in stream.test.ts. */
import type { AnswerEvent, Usage } from '../../call/call.ts'
import { anthropicForm } from '../../providers/adapters/anthropic/own-events.ts'
import type { Json } from './block-queue.ts'

/** Facts collected from the events of an answer. */
export interface Gathered {
  /** The provider's id and name of its model. */
  id: string | null
  model: string | null
  /** Members of the message, and of its end, that only this form has. */
  members: Json
  endMembers: Json
  finish: Extract<AnswerEvent, { readonly type: 'finish' }> | null
  usage: Usage | null
  calledTools: boolean
  refused: boolean
}

export function gather(): { readonly seen: Gathered; see(event: AnswerEvent): void } {
  const seen: Gathered = {
    id: null,
    model: null,
    members: {},
    endMembers: {},
    finish: null,
    usage: null,
    calledTools: false,
    refused: false,
  }
  return {
    seen,
    see: (event) => {
      if ('choice' in event && event.choice > 0) return
      if (event.type === 'start') {
        seen.id = event.id ?? null
        seen.model = event.model
      } else if (event.type === 'answer_extra' && event.form === anthropicForm)
        seen.members = { ...seen.members, ...event.members }
      else if (event.type === 'extra' && event.form === anthropicForm)
        seen.endMembers = { ...seen.endMembers, ...event.members }
      else if (event.type === 'finish') seen.finish = event
      else if (event.type === 'usage') seen.usage = event.usage
      else if (event.type === 'tool_call') seen.calledTools = true
      else if (event.type === 'text' && event.channel === 'refusal') seen.refused = true
    },
  }
}

/** The vendor's own stop reasons, which a provider of this form may give. */
const ownReasons: ReadonlySet<string> = new Set([
  ...['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'pause_turn', 'refusal', 'model_context_window_exceeded'],
])

/** Why the answer ended, in the vendor's words. */
export function endOf({ finish, calledTools, refused }: Gathered): {
  readonly stop_reason: string | null
  readonly stop_sequence: string | null
} {
  if (finish === null) return { stop_reason: null, stop_sequence: null }
  const { reason, native, stopSequence = null } = finish
  const said = { stop_sequence: stopSequence }
  if (native !== undefined && ownReasons.has(native)) return { stop_reason: native, ...said }
  switch (reason) {
    case 'stop':
      // Not every provider reports that it stopped for a tool.
      return { stop_reason: calledTools ? 'tool_use' : refused ? 'refusal' : stopped(stopSequence), ...said }
    case 'length':
      return { stop_reason: 'max_tokens', ...said }
    case 'tool_calls':
      return { stop_reason: 'tool_use', ...said }
    case 'content_filter':
      return { stop_reason: 'refusal', ...said }
    default:
      return reason satisfies never
  }
}

function stopped(sequence: string | null): string {
  return sequence === null ? 'end_turn' : 'stop_sequence'
}

export interface UsageBody {
  readonly input_tokens: number
  readonly output_tokens: number
}

/** Anthropic counts cache reads and writes separately from the input. */
export function usageBody(usage: Usage): UsageBody & Json {
  const { inputTokens, cachedTokens, cacheWrite5mTokens: short, cacheWrite1hTokens: long, outputTokens } = usage
  return {
    input_tokens: Math.max(0, inputTokens - cachedTokens - short - long),
    cache_creation_input_tokens: short + long,
    cache_read_input_tokens: cachedTokens,
    output_tokens: outputTokens,
  }
}
