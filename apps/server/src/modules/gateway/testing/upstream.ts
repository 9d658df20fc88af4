/** A real provider on a local port that is scripted by a test and records its requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface Received {
  readonly path: string
  readonly authorization: string | undefined
  readonly traceparent: string | undefined
  readonly hops: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests read what was sent freely.
  readonly body: any
  /** Resolves when the caller closes the connection. */
  readonly closed: Promise<void>
}

export type Reply = (response: ServerResponse, received: Received) => void | Promise<void>

export interface Upstream {
  readonly url: string
  readonly received: Received[]
  /** Answers used up in turn; the last one stays. */
  reply(...replies: Reply[]): void
  /** Resolves with the next call that comes in. */
  next(): Promise<Received>
  close(): Promise<void>
}

export async function openUpstream(): Promise<Upstream> {
  const received: Received[] = []
  let replies: Reply[] = [say('Hello.')]
  let waiting: ((call: Received) => void)[] = []
  const server = createServer((request, response) => {
    void handle(request, response)
  })
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const text = Buffer.concat(pieces).toString()
    const call = {
      path: request.url ?? '',
      authorization: request.headers.authorization,
      traceparent: request.headers.traceparent?.toString(),
      hops: request.headers['parapet-hops']?.toString(),
      body: text === '' ? null : JSON.parse(text),
      closed: new Promise<void>((resolve) => response.once('close', () => resolve())),
    }
    received.push(call)
    for (const tell of waiting.splice(0)) tell(call)
    const reply = replies.length > 1 ? replies.shift() : replies[0]
    await reply?.(response, call)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/v1`,
    received,
    reply: (...next) => {
      replies = next
    },
    next: () => new Promise((resolve) => waiting.push(resolve)),
    close: () => {
      waiting = []
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const usage = { prompt_tokens: 11, completion_tokens: 7 }

/** A complete answer. */
export function say(content: string, message: object = {}): Reply {
  return (response) => {
    const choices = [{ index: 0, message: { role: 'assistant', content, ...message }, finish_reason: 'stop' }]
    json(response, 200, { id: 'x', model: 'served-model', choices, usage })
  }
}

/** An answer made from the received request. */
export function sayBack(make: (received: Received) => string): Reply {
  return (response, received) => say(make(received))(response, received)
}

export function fail(status: number, headers: Record<string, string> = {}): Reply {
  return (response) => json(response, status, { error: { message: `upstream says ${status}` } }, headers)
}

export function raw(text: string, type = 'application/json'): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': type })
    response.end(text)
  }
}

/** Takes the call and never answers. */
export const hang: Reply = () => {}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

export interface StreamScript {
  /** Leaves out the end. */
  readonly broken?: boolean
  /** Keeps the connection open after the pieces, without an end. */
  readonly open?: boolean
}

/** A stream of text pieces. */
export function streamed(pieces: readonly string[], { broken = false, open = false }: StreamScript = {}): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (choice: object, more: object = {}): void => {
      response.write(`data: ${JSON.stringify({ id: 'x', model: 'served-model', choices: [choice], ...more })}\n\n`)
    }
    for (const content of pieces) send({ index: 0, delta: { content }, finish_reason: null })
    if (open) return
    if (broken) return void response.socket?.end()
    send({ index: 0, delta: {}, finish_reason: 'stop' })
    response.write(`data: ${JSON.stringify({ choices: [], usage })}\n\n`)
    response.end('data: [DONE]\n\n')
  }
}
