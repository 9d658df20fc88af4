/**
 * An answer as server-sent events. The answer is checked whole before its first piece leaves, because a citation or a link
 * that was invented must never be shown; its pieces are its sentences. Tested in chat.test.ts.
 */
import type { Kernel } from '../../../kernel/kernel.ts'
import { type RequestInfo, StreamAnswer } from '../../../kernel/module/route.ts'
import type { Answered } from './answer.ts'
import { sentencesOf } from './sentences.ts'

export const eventStream = 'text/event-stream'

export interface Streamed<T> {
  readonly answered: Answered
  /** The answer of a call that is not streamed: data of the last frame. */
  readonly whole: T
}

export function streamOf<T>(
  { clock }: Pick<Kernel, 'clock'>,
  request: Pick<RequestInfo, 'id'>,
  streamed: Streamed<T>,
): StreamAnswer {
  const frame = (event: string, data: unknown): string => {
    const meta = { request_id: request.id, timestamp: clock.iso(), version: 'v1' }
    return `event: ${event}\ndata: ${JSON.stringify({ data, meta, errors: null })}\n\n`
  }
  return new StreamAnswer(`${eventStream}; charset=utf-8`, framesOf(streamed, frame))
}

async function* framesOf<T>(
  { answered, whole }: Streamed<T>,
  frame: (event: string, data: unknown) => string,
): AsyncGenerator<string> {
  const { content, citations, trace, completion } = answered
  yield frame('message.started', { gateway_request_id: completion?.id ?? null })
  yield frame('retrieval.completed', { candidates: trace.candidates, returned: trace.returned })
  let from = 0
  for (const { end } of sentencesOf(content)) {
    yield frame('delta', { text: content.slice(from, end) })
    from = end
  }
  if (from < content.length) yield frame('delta', { text: content.slice(from) })
  for (const citation of citations) yield frame('citation', citation)
  yield frame('message.completed', whole)
}
