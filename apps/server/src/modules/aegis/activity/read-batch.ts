/** Reads the body of a batch, in a thread where it is large: OTLP traces in JSON or protobuf, or native events. */
import { ProblemError } from '../../../kernel/errors/problem.ts'
import { parseBody } from '../../../kernel/http/body/json-body.ts'
import type { ThreadTask } from '../../../kernel/threads/thread-task.ts'
import { readEvents } from './native.ts'
import { readSpans } from './otlp/spans.ts'
import { readTraceRequest } from './otlp/wire.ts'
import type { ReadBatch, RefusedBatch } from './record/record.ts'
import { mostEvents } from './schema.ts'

export interface BatchBytes {
  readonly mediaType: string
  readonly content: Uint8Array
}

export const protobufType = 'application/x-protobuf'

/** Values of a JSON body: a span has some sixty. */
const mostValues = 1_000_000

export const readBatch: ThreadTask<BatchBytes, ReadBatch | RefusedBatch> = {
  name: 'aegis.activity.read',
  run: ({ mediaType, content }) => {
    try {
      return mediaType === protobufType
        ? readSpans(readTraceRequest(content), { mostSpans: mostEvents })
        : readJson(parseBody(content, { anyText: true, maxValues: mostValues }))
    } catch (error) {
      // The library throws errors of several classes at bytes that are no message.
      if (error instanceof ProblemError || mediaType === protobufType || error instanceof RangeError)
        return { refused: `The trace request cannot be read: ${(error as Error).message}` }
      throw error
    }
  },
}

function readJson(body: unknown): ReadBatch | RefusedBatch {
  if (typeof body !== 'object' || body === null) return { refused: 'The body is no object.' }
  if ('resourceSpans' in body) return readSpans(body, { mostSpans: mostEvents })
  const events = 'events' in body ? body.events : null
  if (!Array.isArray(events)) return { refused: 'The body has neither resourceSpans nor a list of events.' }
  if (events.length > mostEvents)
    return { refused: `The body has ${events.length} events; at most ${mostEvents} are taken.` }
  return readEvents(events)
}
