/** A real MCP server on a local port, of either era, that does what a test tells it and remembers what it was sent. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// biome-ignore lint/suspicious/noExplicitAny: tests read what was sent freely.
type Any = any

export interface Received {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly message: Any
  /** Resolves when the caller closes the connection. */
  readonly closed: Promise<void>
}

export interface CallContext {
  readonly args: Any
  readonly meta: Any
  readonly id: Any
  readonly response: ServerResponse
  /** Sends an event before the answer. */
  event(message: object): void
}

/** The result of a call, or nothing where the call answers by itself. */
export type ToolRun = (context: CallContext) => Any

export interface TestUpstream {
  readonly url: string
  readonly received: Received[]
  tools: Any[]
  instructions: string | null
  /** As a modern server tells it. */
  identity: object
  runs: Record<string, ToolRun>
  /** Asked before anything else; true ends the request. */
  before: ((request: IncomingMessage, response: ServerResponse, message: Any) => boolean) | null
  /** Calls of tools that arrived. */
  calls(): readonly Any[]
  close(): Promise<void>
}

const modern = '2026-07-28'
const text = (content: string) => ({ content: [{ type: 'text', text: content }] })

export const tool = (name: string, description = `Does ${name}.`, more: object = {}) => ({
  ...{ name, description },
  inputSchema: { type: 'object', properties: { text: { type: 'string', description: 'A text' } } },
  ...more,
})

export async function openMcpUpstream(era: 'legacy' | 'modern' = 'legacy'): Promise<TestUpstream> {
  let sessions = 0
  const known = new Set<string>()
  const server = createServer((request, response) => void handle(request, response))
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces).toString()
    const message = body === '' ? null : JSON.parse(body)
    const closed = new Promise<void>((resolve) => response.once('close', () => resolve()))
    opened.received.push({ method: request.method ?? '', headers: request.headers, message, closed })
    if (opened.before?.(request, response, message) === true) return
    if (request.method === 'DELETE') {
      known.delete(String(request.headers['mcp-session-id']))
      return void response.writeHead(200).end()
    }
    if (request.method === 'GET') return void response.writeHead(405).end()
    if (era === 'modern') answerModern(request, response, message)
    else answerLegacy(request, response, message)
  }
  const json = (response: ServerResponse, answer: object, headers: Record<string, string> = {}, status = 200): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer))
  }
  const result = (response: ServerResponse, id: Any, value: object, headers: Record<string, string> = {}): void =>
    json(
      response,
      { jsonrpc: '2.0', id, result: era === 'modern' ? { resultType: 'complete', ...value } : value },
      headers,
    )

  const answerModern = (request: IncomingMessage, response: ServerResponse, message: Any): void => {
    const version = message?.params?._meta?.['io.modelcontextprotocol/protocolVersion']
    if (version !== modern || request.headers['mcp-method'] !== message.method)
      return void json(
        response,
        { jsonrpc: '2.0', id: message?.id ?? null, error: { code: -32020, message: 'Header mismatch' } },
        {},
        400,
      )
    if (message.method === 'server/discover')
      return void result(response, message.id, {
        ...{
          supportedVersions: [modern],
          capabilities: { tools: {}, resources: {}, prompts: {} },
          ttlMs: 0,
          cacheScope: 'private',
        },
        ...(opened.instructions === null ? {} : { instructions: opened.instructions }),
        _meta: { 'io.modelcontextprotocol/serverInfo': opened.identity },
      })
    return void answerCommon(response, message)
  }

  const answerLegacy = (request: IncomingMessage, response: ServerResponse, message: Any): void => {
    const session = request.headers['mcp-session-id']
    if (message.method === 'initialize') {
      sessions += 1
      const id = `upstream-${sessions}`
      known.add(id)
      return void result(
        response,
        message.id,
        {
          ...{
            protocolVersion: message.params.protocolVersion,
            capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
          },
          ...{ serverInfo: { name: 'legacy-upstream', version: '1' } },
          ...(opened.instructions === null ? {} : { instructions: opened.instructions }),
        },
        { 'mcp-session-id': id },
      )
    }
    if (session === undefined)
      return void json(response, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'No session' } }, {}, 400)
    if (!known.has(String(session))) return void response.writeHead(404).end()
    if (message.id === undefined || message.method === undefined) return void response.writeHead(202).end()
    return void answerCommon(response, message)
  }

  const answerCommon = (response: ServerResponse, message: Any): void => {
    if (message.method === 'tools/list') {
      const from = Number(message.params?.cursor ?? 0)
      const page = opened.tools.slice(from, from + 3)
      const next = from + 3 < opened.tools.length ? { nextCursor: String(from + 3) } : {}
      return void result(response, message.id, {
        tools: page,
        ...next,
        ...(era === 'modern' ? { ttlMs: 0, cacheScope: 'private' } : {}),
      })
    }
    if (message.method === 'resources/read')
      return void result(response, message.id, {
        contents: [{ uri: message.params.uri, text: 'The content of a resource.' }],
      })
    if (message.method !== 'tools/call')
      return void json(response, {
        jsonrpc: '2.0',
        id: message.id,
        error: { code: -32601, message: 'Method not found' },
      })
    const run =
      opened.runs[message.params.name] ?? (({ args }: CallContext) => text(`ran with ${JSON.stringify(args)}`))
    let isStream = false
    const context: CallContext = {
      ...{ args: message.params.arguments, meta: message.params._meta, id: message.id, response },
      event: (event) => {
        if (!isStream) response.writeHead(200, { 'content-type': 'text/event-stream' })
        isStream = true
        response.write(`event: message\ndata: ${JSON.stringify(event)}\n\n`)
      },
    }
    const finish = (value: Any): void => {
      if (value === undefined) return
      const answer = {
        jsonrpc: '2.0',
        id: message.id,
        result: era === 'modern' ? { resultType: 'complete', ...value } : value,
      }
      if (!isStream) return void json(response, answer)
      response.end(`event: message\ndata: ${JSON.stringify(answer)}\n\n`)
    }
    void Promise.resolve(run(context)).then(finish)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const opened: TestUpstream = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    received: [],
    tools: [tool('echo'), tool('add', 'Adds two numbers.')],
    instructions: null,
    identity: { name: 'modern-upstream', version: '2' },
    runs: {},
    before: null,
    calls: () =>
      opened.received.filter(({ message }) => message?.method === 'tools/call').map(({ message }) => message),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return opened
}

export { text as textResult }
