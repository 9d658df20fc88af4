import { readEnvelope } from '../http/answer.ts'
import { ConnectionError, ProblemError, problemFrom } from '../http/problem.ts'
import { readEvents, type ServerSentEvent } from './server-sent-events.ts'
import type { ChatChunk, ChatStreamOutcome } from './types.ts'

export type ChatStreamEvent =
  | { readonly type: 'chunk'; readonly data: ChatChunk }
  | { readonly type: 'completed'; readonly data: ChatStreamOutcome }

/**
 * An answer as it comes: chunks, then what the call turned out to be. Leaving the loop ends the call on the server.
 * The loop throws ProblemError when the server stops the answer half-way and ConnectionError when it just ends.
 */
export interface ChatStream extends AsyncIterable<ChatStreamEvent> {
  readonly requestId: string | null
  /** Ends the call without reading on. */
  cancel(): Promise<void>
}

export interface StreamParts {
  /** Unix milliseconds. */
  readonly now: () => number
  readonly signal: AbortSignal | undefined
}

/** @throws ConnectionError when the answer is no event stream */
export function openChatStream(response: Response, parts: StreamParts): ChatStream {
  const { body } = response
  if (body === null || response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    throw new ConnectionError('the answer is no event stream')
  }
  const events = readChat(body, response, parts)
  return {
    requestId: response.headers.get('x-request-id'),
    cancel: async () => {
      await events.return()
      if (!body.locked) await body.cancel()
    },
    [Symbol.asyncIterator]: () => events,
  }
}

async function* readChat(
  body: ReadableStream<Uint8Array>,
  response: Response,
  { now, signal }: StreamParts,
): AsyncGenerator<ChatStreamEvent, void, undefined> {
  try {
    for await (const frame of readEvents(body)) {
      if (frame.event === 'done') return
      if (frame.event === 'error') throw problemFrom(JSON.parse(frame.data), response, now())
      const event = read(frame)
      if (event !== null) yield event
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw known(error)
  }
  throw new ConnectionError('the answer ended before its end marker')
}

/** Events of a kind this version does not know are passed over. */
function read({ event, data }: ServerSentEvent): ChatStreamEvent | null {
  if (event === 'chunk') return { type: event, data: readEnvelope<ChatChunk>(data).data }
  return event === 'completed' ? { type: event, data: readEnvelope<ChatStreamOutcome>(data).data } : null
}

function known(error: unknown): unknown {
  const keep = error instanceof ProblemError || error instanceof ConnectionError
  return keep ? error : new ConnectionError('the answer ended early', error)
}
