import { createParser } from 'eventsource-parser'
import { UpstreamFault } from './fault.ts'

/** Characters one event of a provider's stream may have. */
const longestEvent = 1_048_576

/** The data of each server-sent event, however the bytes are cut. @throws UpstreamFault `invalid` for an endless event */
export async function* readEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let ready: string[] = []
  let pending = 0
  const parser = createParser({
    onEvent: (event) => {
      pending = 0
      ready.push(event.data)
    },
  })
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true })
    pending += text.length
    parser.feed(text)
    if (ready.length === 0 && pending > longestEvent)
      throw new UpstreamFault('invalid', 'an event of its stream is too large')
    const events = ready
    ready = []
    yield* events
  }
}
