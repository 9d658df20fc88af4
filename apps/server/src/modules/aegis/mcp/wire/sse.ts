/** Server-sent events, read and written one by one. Tested in wire.test.ts. */
import { createParser } from 'eventsource-parser'

export interface SseEvent {
  readonly data: string
  readonly id: string | null
}

/** Characters of one event. */
export const longestEvent = 10 * 1_048_576

export class EventTooLong extends Error {}

/** Events as they come; comments and events without data are left out. @throws EventTooLong */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SseEvent, void, undefined> {
  const found: SseEvent[] = []
  let pending = 0
  const parser = createParser({
    onEvent: ({ data, id }) => {
      pending = 0
      if (data !== '') found.push({ data, id: id ?? null })
    },
    onComment: () => {
      pending = 0
    },
  })
  const decoder = new TextDecoder()
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    pending += text.length
    parser.feed(text)
    if (pending > longestEvent) throw new EventTooLong()
    yield* found.splice(0)
  }
  parser.feed('\n\n')
  yield* found.splice(0)
}

/** One event whose data is JSON, which has no line breaks. */
export function writeEvent(json: string, id: string | null = null): string {
  return `${id === null ? '' : `id: ${id}\n`}event: message\ndata: ${json}\n\n`
}

/** A comment, which keeps a silent connection open. */
export const keepAlive = ': keep-alive\n\n'
