export interface ServerSentEvent {
  /** `message` when the stream names none. */
  readonly event: string
  readonly data: string
}

const lineEnd = /\r\n|\n|\r(?!$)/

/** Reads `text/event-stream` (WHATWG HTML, section 9.2); leaving the loop early cancels the body. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent, void, undefined> {
  let event = ''
  let data: string[] = []
  for await (const line of lines(body)) {
    if (line === '') {
      if (data.length > 0) yield { event: event === '' ? 'message' : event, data: data.join('\n') }
      event = ''
      data = []
      continue
    }
    const { name, value } = fieldOf(line)
    if (name === 'event') event = value
    if (name === 'data') data.push(value)
  }
}

/** Complete lines only: what has no end when the stream stops was cut off. */
async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let rest = ''
  for await (const text of texts(body)) {
    rest += text
    // A carriage return at the very end may be half of a pair, so it waits for what follows.
    for (let end = lineEnd.exec(rest); end !== null; end = lineEnd.exec(rest)) {
      yield rest.slice(0, end.index)
      rest = rest.slice(end.index + end[0].length)
    }
  }
  if (rest.endsWith('\r')) yield rest.slice(0, -1)
}

async function* texts(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      yield decoder.decode(part.value, { stream: true })
    }
  } finally {
    // Also when the consumer stopped early: the server must not go on for nobody.
    await reader.cancel()
  }
}

function fieldOf(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(':')
  if (colon < 0) return { name: line, value: '' }
  const value = line.slice(colon + 1)
  return { name: line.slice(0, colon), value: value.startsWith(' ') ? value.slice(1) : value }
}
