import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

export interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, text as it stands; `cut` breaks the connection instead. */
  readonly body?: object | string
  readonly cut?: true
  /** Pieces of a stream, each sent for itself; the answer stays open when `open`. */
  readonly pieces?: readonly string[]
  readonly open?: true
}

export interface Visitor {
  readonly socket: WebSocket
  readonly frames: readonly Record<string, unknown>[]
  say(frame: object): void
  /** The next client frame of this type that no earlier call answered. */
  told(type: string): Promise<Record<string, unknown>>
}

export interface LocalServer {
  readonly baseUrl: string
  readonly seen: readonly Seen[]
  /** Resolves when the client of call `index` has gone away. */
  gone(index: number): Promise<void>
  /** The next connection to `/ws` that no earlier call answered. */
  visitor(): Promise<Visitor>
  readonly visits: number
  close(): Promise<void>
}

/** A server on a free port that answers calls from a function and hands sockets to the test. */
export async function startServer(answer: (call: Seen, index: number) => Reply | Promise<Reply>): Promise<LocalServer> {
  const seen: Seen[] = []
  const gone: Promise<void>[] = []
  const http = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const text = Buffer.concat(chunks).toString()
      const call: Seen = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: text === '' ? null : JSON.parse(text),
      }
      gone.push(new Promise((resolve) => response.once('close', resolve)))
      const reply = await answer(call, seen.push(call) - 1)
      if (reply.cut === true) {
        request.socket.destroy()
        return
      }
      const json = typeof reply.body === 'object'
      response.writeHead(reply.status ?? 200, {
        'content-type': json ? 'application/json' : 'text/event-stream',
        ...reply.headers,
      })
      for (const piece of reply.pieces ?? []) response.write(piece)
      if (reply.open !== true) response.end(json ? JSON.stringify(reply.body) : (reply.body ?? ''))
    })
  })
  const visitors = queue<Visitor>()
  const sockets = new WebSocketServer({ server: http, path: '/ws' })
  let visits = 0
  sockets.on('connection', (socket) => {
    visits += 1
    visitors.put(visit(socket))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    seen,
    gone: (index) => gone[index] ?? Promise.reject(new Error(`there was no call ${index}`)),
    visitor: () => visitors.take(() => true),
    get visits() {
      return visits
    },
    close: () =>
      new Promise((resolve) => {
        for (const client of sockets.clients) client.terminate()
        sockets.close()
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  }
}

function visit(socket: WebSocket): Visitor {
  const frames: Record<string, unknown>[] = []
  const unread = queue<Record<string, unknown>>()
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as Record<string, unknown>
    frames.push(frame)
    unread.put(frame)
  })
  return {
    socket,
    frames,
    say: (frame) => socket.send(JSON.stringify(frame)),
    told: (type) => unread.take((frame) => frame.type === type),
  }
}

/** Hands out what came, also to those who asked before it came. */
export function queue<T>() {
  const kept: T[] = []
  const asking: { wants: (value: T) => boolean; give: (value: T) => void }[] = []
  return {
    put: (value: T) => {
      const index = asking.findIndex(({ wants }) => wants(value))
      if (index < 0) kept.push(value)
      else for (const { give } of asking.splice(index, 1)) give(value)
    },
    take: (wants: (value: T) => boolean): Promise<T> =>
      new Promise((give) => {
        const index = kept.findIndex(wants)
        if (index < 0) asking.push({ wants, give })
        else for (const value of kept.splice(index, 1)) give(value)
      }),
  }
}

export const meta = { request_id: 'req_1', timestamp: '2026-11-20T12:00:00.000Z', version: 'v1' }

export function enveloped(data: unknown, extra: object = {}): Reply {
  return { body: { data, meta: { ...meta, ...extra }, errors: null } }
}

export function problem(
  status: number,
  code: string,
  extra: Partial<Reply> & { readonly members?: object } = {},
): Reply {
  const { members, ...reply } = extra
  const body = {
    type: `http://127.0.0.1/errors/${code}`,
    title: `Title of ${code}`,
    status,
    detail: `Detail of ${code}`,
    error_code: code,
    request_id: 'req_1',
    errors: [{ error_code: code, detail: 'wrong', pointer: '/email' }],
    ...members,
  }
  return { status, body, ...reply }
}
