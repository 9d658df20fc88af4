/** An answer in OpenAI's Responses form; streams are in responses-stream.ts. Tested in sdk-responses.test.ts. */

import type { AnswerEvent } from '../../call/call.ts'
import type { FinishReason } from '../../call/finish-reason.ts'
import type { AnswerWriter } from '../dialect.ts'
import { rawHeaders, rawTrailers } from '../raw.ts'
import type { RawBody } from './chat-members.ts'
import { ownResponse } from './own-response.ts'
import { responseBody, withOwn } from './response-body.ts'
import { responseItems } from './response-items.ts'
import type { OpenAiResponses } from './responses-schema.ts'
import { responsesStream } from './responses-stream.ts'

export function responsesWriter(asked: OpenAiResponses): AnswerWriter<RawBody> {
  return {
    whole: ({ state }, events) => {
      const items = responseItems(state)
      const own = ownResponse()
      for (const event of events) own.isOwn(event) ? own.add(event) : items.add(event)
      const facts = { model: modelOf(events), items: items.items, finish: finishOf(events) }
      return withOwn(state, responseBody(state, asked, facts), { own, finish: facts.finish })
    },
    headers: rawHeaders,
    errorHeaders: rawHeaders,
    trailers: rawTrailers,
    stream: (context) => responsesStream(context, asked),
  }
}

function modelOf(events: readonly AnswerEvent[]): string {
  return events.find((event) => event.type === 'start')?.model ?? ''
}

function finishOf(events: readonly AnswerEvent[]): FinishReason {
  return events.find((event) => event.type === 'finish')?.reason ?? 'stop'
}
