/**
 * OpenAI's Responses stream: numbered events from `response.created` to `response.completed` or `response.incomplete`.
 * The response that a client assembles equals a complete answer, and only the last event says that it is complete.
 * Tested in stream-writers.test.ts and sdk-responses.test.ts.
 */
import { exactJson } from '../../../../kernel/base/exact-json.ts'
import type { FinishReason } from '../../call/finish-reason.ts'
import { type StreamWriter, sseFrame, type WriterContext } from '../dialect.ts'
import { openAiError } from './form.ts'
import { ownResponse } from './own-response.ts'
import { responseBody, statusOf, withOwn } from './response-body.ts'
import { type Change, contentBody, itemBody, type OpenItem, responseItems } from './response-items.ts'
import type { OpenAiResponses } from './responses-schema.ts'

type Members = Readonly<Record<string, unknown>>

interface Event extends Members {
  readonly type: string
}

export function responsesStream({ state }: WriterContext, asked: OpenAiResponses): StreamWriter {
  const items = responseItems(state)
  const own = ownResponse()
  let model = ''
  let finish: FinishReason | null = null
  let number = 0
  let begun = false
  const frame = (event: Event): string => {
    const body = Object.assign({}, event, { sequence_number: number })
    number += 1
    return sseFrame(event.type, exactJson(body))
  }
  const response = (type: string): Event => ({
    type: `response.${type}`,
    response: withOwn(state, responseBody(state, asked, { model, items: items.items, finish }), { own, finish }),
  })
  const begin = (): readonly Event[] => {
    if (begun) return []
    begun = true
    return [response('created'), response('in_progress')]
  }
  return {
    push: (event) => {
      if (event.type === 'start') model = event.model
      if (own.isOwn(event) && event.type !== 'finish') {
        const frames = own.add(event)
        return frames.length === 0 ? [] : [...begin(), ...frames].map(frame)
      }
      const change = items.add(event)
      if (change !== null) return [...begin(), ...eventsOf(change)].map(frame)
      if (event.type !== 'finish' || event.choice !== 0) return []
      finish = event.reason
      const status = statusOf(finish)
      return [...begin(), ...items.items.flatMap((item) => doneEvents(item, status))].map(frame)
    },
    end: () => [...begin(), response(statusOf(finish))].map(frame),
    fail: (problem) => {
      const { error } = openAiError(problem)
      // The members of the documented event, and the error object that the clients raise.
      return [frame({ type: 'error', code: error.code, message: error.message, param: error.param, error })]
    },
    keepAlive: ': keep-alive\n\n',
  }
}

const channelEvents = { text: 'output_text', refusal: 'refusal', reasoning: 'reasoning_text' } as const

function eventsOf(change: Change): readonly Event[] {
  switch (change.type) {
    case 'text': {
      const { item, content, text, opened, began } = change
      const at = { item_id: item.id, output_index: item.index, content_index: item.contents.indexOf(content) }
      const logprobs = content.channel === 'text' ? { logprobs: [] } : {}
      return [
        ...(opened ? [added(item)] : []),
        ...(began ? [{ type: 'response.content_part.added', ...at, part: contentBody(content, true) }] : []),
        { type: `response.${channelEvents[content.channel]}.delta`, ...at, delta: text, ...logprobs },
      ]
    }
    case 'call':
      return [added(change.item)]
    case 'arguments':
      return [
        {
          type: 'response.function_call_arguments.delta',
          item_id: change.item.id,
          output_index: change.item.index,
          delta: change.text,
        },
      ]
    default:
      return change satisfies never
  }
}

function added(item: OpenItem): Event {
  return { type: 'response.output_item.added', output_index: item.index, item: itemBody(item, 'in_progress') }
}

function doneEvents(item: OpenItem, status: ReturnType<typeof statusOf>): readonly Event[] {
  const at = { item_id: item.id, output_index: item.index }
  const last = { type: 'response.output_item.done', output_index: item.index, item: itemBody(item, status) }
  if (item.kind === 'call') {
    const { name, arguments: text } = item
    return [{ type: 'response.function_call_arguments.done', ...at, name, arguments: text }, last]
  }
  const contents = item.contents.flatMap((content, index) => {
    const place = { ...at, content_index: index }
    const part = contentBody(content)
    // The event has all members of the part except its type.
    const { type: _type, annotations: _annotations, ...said } = part
    return [
      { type: `response.${channelEvents[content.channel]}.done`, ...place, ...said },
      { type: 'response.content_part.done', ...place, part },
    ]
  })
  return [...contents, last]
}
