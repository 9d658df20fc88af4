/** MCP servers of the official SDKs, unchanged, with the same tools: v1 speaks with sessions, v2 without. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { Server as LegacyServer } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ElicitResultSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { createMcpHandler, inputRequired, Server as ModernServer } from '@modelcontextprotocol/server'
import { tool } from './upstream.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read and build messages freely.
type Any = any

export const sdks = ['v1', 'v2'] as const
export type Sdk = (typeof sdks)[number]

export interface SdkServer {
  readonly url: string
  tools: Any[]
  /** Names of the tools that were called. */
  readonly calls: string[]
  /** Reasons of the calls that were cancelled. */
  readonly cancelled: string[]
  /** Older servers: asks on the stream of the session instead of that of the call. */
  asksApart: boolean
  /** Lets the call of `slow` end. */
  release(): void
  /** Tells all listeners that the tools changed. */
  tellChanged(): Promise<void>
  /** Whether anybody listens. */
  listeners(): number
  close(): Promise<void>
}

/** A call as its tool sees it, from any SDK. */
interface Running {
  readonly args: Any
  readonly signal: AbortSignal
  tell(method: string, params?: object): Promise<void>
  progress(progress: number): Promise<void>
  /** Asks the person at the client, as the protocol of the server has it. */
  ask(question: Any): Promise<Any>
}

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

/** Names of the tools that every server has. */
export const sdkTools = [
  tool('echo'),
  tool('weather', 'Tells the weather.', {
    inputSchema: city,
    outputSchema: { type: 'object', properties: { celsius: { type: 'number' } }, required: ['celsius'] },
  }),
  ...[tool('slow'), tool('hang'), tool('announce'), tool('greet'), tool('consent'), tool('twice')],
]

const said = (text: string) => ({ content: [{ type: 'text', text }] })
const pageLength = 5
const capabilities = { tools: { listChanged: true } }
export const form = {
  message: 'Your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
}

export const link = { mode: 'url', message: 'Please consent.', url: 'https://consent.example/7' }

export async function openSdkServer(sdk: Sdk): Promise<SdkServer> {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const state = { tools: [...sdkTools], calls: [] as string[], cancelled: [] as string[], released, asksApart: false }
  const served = sdk === 'v1' ? serveLegacy(state) : serveModern(state)
  const server = createServer((request, response) => void served.handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(state, {
    ...{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, release },
    ...{ tellChanged: served.tellChanged, listeners: served.listeners },
    close: async () => {
      await served.close()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  })
}

interface State {
  asksApart: boolean
  tools: Any[]
  readonly calls: string[]
  readonly cancelled: string[]
  readonly released: Promise<void>
}

interface Served {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  tellChanged(): Promise<void>
  listeners(): number
  close(): Promise<void>
}

function pageOf({ tools }: State, cursor: Any): Any {
  const from = Number(cursor ?? 0)
  const next = from + pageLength
  return { tools: tools.slice(from, next), ...(next < tools.length ? { nextCursor: String(next) } : {}) }
}

/** Asks for the name, and once more where it has to be confirmed; a result that asks is passed on as it is. */
async function greet({ ask }: Running, isTwice: boolean): Promise<Any> {
  const first = await ask(form)
  if (first.action === undefined) return first
  const second = isTwice ? await ask({ ...form, message: 'Once more?' }) : first
  if (second.action === undefined) return second
  return said(`Hello ${first.content?.name}${isTwice ? ` and ${second.content?.name}` : ''}`)
}

async function run({ calls, cancelled, released }: State, name: string, running: Running): Promise<Any> {
  calls.push(name)
  const { args, signal, tell, progress } = running
  if (name === 'weather') return { ...said(JSON.stringify({ celsius: 21.5 })), structuredContent: { celsius: 21.5 } }
  if (name === 'slow') {
    await progress(1)
    await released
    await progress(2)
  }
  if (name === 'hang')
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        cancelled.push(String(signal.reason))
        resolve()
      })
      void progress(1)
    })
  if (name === 'announce') await tell('notifications/tools/list_changed')
  if (name === 'greet' || name === 'twice') return greet(running, name === 'twice')
  if (name === 'consent') {
    const answer = await running.ask(link)
    return answer.action === undefined ? answer : said(`Consent: ${answer.action}`)
  }
  return said(`${name} ${JSON.stringify(args)}`)
}

function serveLegacy(state: State): Served {
  const sessions = new Map<string, { transport: StreamableHTTPServerTransport; server: LegacyServer }>()
  let listening = 0
  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const server = new LegacyServer({ name: 'sdk-v1', version: '1' }, { capabilities })
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) => pageOf(state, params?.cursor))
    server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
      const tell = (method: string, told: object = {}): Promise<void> =>
        extra.sendNotification({ method, params: told } as Any)
      const token = extra._meta?.progressToken
      return run(state, params.name, {
        ...{ args: params.arguments, signal: extra.signal, tell },
        progress: (progress) => tell('notifications/progress', { progressToken: token, progress }),
        ask: (question) => {
          const mode = { elicitationId: question.mode === 'url' ? randomUUID() : undefined, mode: 'form', ...question }
          const request = { method: 'elicitation/create', params: mode } as Any
          // Apart from the call, on the stream of the session, on servers configured to.
          return state.asksApart
            ? server.request(request, ElicitResultSchema)
            : extra.sendRequest(request, ElicitResultSchema)
        },
      })
    })
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, { transport, server }),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await server.connect(transport as Any)
    return transport
  }
  return {
    handle: async (request, response) => {
      const known = sessions.get(String(request.headers['mcp-session-id']))
      if (request.method === 'GET') {
        listening += 1
        response.once('close', () => {
          listening -= 1
        })
      }
      await (known?.transport ?? (await open())).handleRequest(request, response)
    },
    tellChanged: async () => {
      for (const { server } of sessions.values()) await server.sendToolListChanged()
    },
    listeners: () => listening,
    close: async () => {
      for (const { server } of sessions.values()) await server.close()
    },
  }
}

function serveModern(state: State): Served {
  /** Answers of the rounds before, by call. */
  const states = new WeakMap<object, Any>()
  let listening = 0
  const handler = createMcpHandler(
    () => {
      const server = new ModernServer({ name: 'sdk-v2', version: '2' }, { capabilities })
      server.setRequestHandler('tools/list', ({ params }) => pageOf(state, params?.cursor))
      server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
        const tell = (method: string, told: object = {}): Promise<void> =>
          mcpReq.notify({ method, params: told } as Any)
        const token = mcpReq._meta?.progressToken
        return run(state, params.name, {
          ...{ args: params.arguments, signal: mcpReq.signal, tell },
          progress: (progress) => tell('notifications/progress', { progressToken: token, progress }),
          ask: async (question) => {
            const given = JSON.parse(mcpReq.requestState() ?? '{}') as Any
            const key = question.message
            const answer = given[key] ?? mcpReq.inputResponses?.[key]
            if (answer !== undefined) {
              given[key] = answer
              states.set(mcpReq, given)
              return answer
            }
            const requestState = JSON.stringify({ ...given, ...states.get(mcpReq) })
            const elicit = question.mode === 'url' ? inputRequired.elicitUrl : inputRequired.elicit
            return inputRequired({ inputRequests: { [key]: elicit(question as Any) }, requestState })
          },
        })
      })
      return server
    },
    { legacy: 'reject' },
  )
  return {
    handle: async (request, response) => {
      const isListening = request.headers['mcp-method'] === 'subscriptions/listen'
      if (isListening) listening += 1
      response.once('close', () => {
        if (isListening) listening -= 1
      })
      await answerWeb(handler.fetch, request, response)
    },
    tellChanged: async () => handler.notify.toolsChanged(),
    listeners: () => listening,
    close: () => handler.close(),
  }
}

/** A request of Node for a handler of the web's form, whose signal is aborted when the caller leaves. */
async function answerWeb(
  fetch: (request: Request) => Promise<Response>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const isPost = request.method === 'POST'
  const web = new Request(`http://localhost${request.url}`, {
    ...{ method: request.method ?? 'GET', headers: new Headers(request.headers as Any), signal: gone.signal },
    ...(isPost ? { body: Readable.toWeb(request) as Any, duplex: 'half' } : {}),
  } as RequestInit)
  try {
    const answer = await fetch(web)
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.flushHeaders()
    for await (const piece of answer.body ?? []) response.write(piece)
    response.end()
  } catch (error) {
    // The exchange of a caller who left is closed without an answer.
    if (!gone.signal.aborted) throw error
  }
}
