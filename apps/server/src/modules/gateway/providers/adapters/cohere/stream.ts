/** Cohere's chat (v2) from providers: canonical events of the frames of a stream. Pure. Tested in cohere.test.ts. */
import type { Static, TSchema } from 'typebox'
import { fits } from '../../../../../kernel/schema/fits.ts'
import type { AnswerEvent } from '../../../call/call.ts'
import type { StreamDecoder } from '../../adapter.ts'
import { UpstreamFault } from '../../fault.ts'
import { parseJson } from '../openai/decode.ts'
import { endOf, startOf, textOf } from './decode.ts'
import { ContentDelta, MessageEnd, MessageStart, PlanDelta, ToolCallDelta, ToolCallStart } from './schema.ts'

type Read = (event: unknown) => readonly AnswerEvent[]

/** Events without a reader (`content-end`, citations, future kinds) carry nothing that an answer here can hold. */
const readers: Readonly<Record<string, Read>> = {
  'message-start': (event) => [startOf(checked(MessageStart, event))],
  'content-start': readContent,
  'content-delta': readContent,
  'tool-plan-delta': (event) => textOf('reasoning', checked(PlanDelta, event).delta.message.tool_plan),
  'tool-call-start': (event) => {
    const { index, delta } = checked(ToolCallStart, event)
    const { id, function: called } = delta.message.tool_calls
    return [{ type: 'tool_call', choice: 0, index, id, name: called.name }, ...argumentsOf(index, called.arguments)]
  },
  'tool-call-delta': (event) => {
    const { index, delta } = checked(ToolCallDelta, event)
    return argumentsOf(index, delta.message.tool_calls.function.arguments)
  },
  'message-end': (event) => {
    const { finish_reason: reason, usage, error } = checked(MessageEnd, event).delta
    return endOf(reason, usage, error)
  },
}

function readContent(event: unknown): readonly AnswerEvent[] {
  const { text, thinking } = checked(ContentDelta, event).delta.message.content
  return [...textOf('reasoning', thinking), ...textOf('text', text)]
}

function argumentsOf(index: number, text: string | null | undefined): readonly AnswerEvent[] {
  return text ? [{ type: 'tool_arguments', choice: 0, index, text }] : []
}

export function createStreamDecoder(): StreamDecoder {
  let finished = false
  return {
    push: ({ data }) => {
      if (data.trim() === '[DONE]') return []
      const event = parseJson(data)
      const type = typeOf(event)
      const events = Object.hasOwn(readers, type) ? (readers[type]?.(event) ?? []) : []
      finished ||= type === 'message-end'
      return events
    },
    end: () => {
      if (!finished) throw new UpstreamFault('broken', 'its stream ended early')
      return []
    },
  }
}

function typeOf(event: unknown): string {
  const type = typeof event === 'object' && event !== null && 'type' in event ? event.type : null
  if (typeof type !== 'string') throw new UpstreamFault('invalid', 'an event of its stream has no type')
  return type
}

function checked<S extends TSchema>(schema: S, event: unknown): Static<S> {
  if (!fits(schema, event)) throw new UpstreamFault('invalid', 'an event of its stream has another form')
  return event
}
