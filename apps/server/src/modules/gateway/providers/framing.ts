/**
 * How the bytes of a stream are cut into frames. Each framing is one generator; a vendor with a framing of its own adds
 * it beside its adapter. Promises the same frames however the bytes are cut. Tested in framing.test.ts.
 */
import { createParser } from 'eventsource-parser'
import { UpstreamFault } from './fault.ts'

export interface StreamFrame {
  /** Name of the event, where the framing has names. */
  readonly event: string | null
  readonly data: string
}

export interface Framing {
  /** Media type by which a provider says that it streams. */
  readonly contentType: string
  /** @throws UpstreamFault `invalid` */
  frames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<StreamFrame>
}

/** Characters one event of a provider's stream may have. */
const longestEvent = 1_048_576

function tooLarge(): UpstreamFault {
  return new UpstreamFault('invalid', 'an event of its stream is too large')
}

/** Server-sent events. */
export const sse: Framing = {
  contentType: 'text/event-stream',
  frames: async function* (bytes) {
    const decoder = new TextDecoder()
    let ready: StreamFrame[] = []
    let pending = 0
    const parser = createParser({
      onEvent: ({ event, data }) => {
        pending = 0
        ready.push({ event: event ?? null, data })
      },
    })
    for await (const chunk of bytes) {
      const text = decoder.decode(chunk, { stream: true })
      pending += text.length
      parser.feed(text)
      if (ready.length === 0 && pending > longestEvent) throw tooLarge()
      const events = ready
      ready = []
      yield* events
    }
  },
}

/** One JSON text a line. */
export const ndjson: Framing = {
  contentType: 'application/x-ndjson',
  frames: async function* (bytes) {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of bytes) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > longestEvent) throw tooLarge()
      for (const line of lines) if (line.trim() !== '') yield { event: null, data: line }
    }
    if (rest.trim() !== '') yield { event: null, data: rest }
  },
}
