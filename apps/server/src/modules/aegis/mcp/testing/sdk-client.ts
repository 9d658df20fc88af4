/** Clients of the official SDKs, unchanged, in one form: v1 opens sessions, v2 asks by the revision without them. */
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Sdk } from './sdk-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely.
type Any = any

export interface CallOptions {
  readonly onprogress?: (progress: Any) => void
  readonly signal?: AbortSignal
}

export interface SdkClient {
  readonly serverInfo: Any
  /** Questions that the person was asked. */
  readonly asked: Any[]
  /** Times that the server said that its tools changed. */
  changes(): number
  /** One page. */
  page(cursor?: string): Promise<Any>
  call(name: string, args?: object, options?: CallOptions): Promise<Any>
  close(): Promise<void>
}

const info = { name: 'sdk-client', version: '1.2.3' }
const capabilities = { elicitation: { form: {}, url: {} } }

export function connectSdk(sdk: Sdk, url: string, key: string): Promise<SdkClient> {
  const options = { requestInit: { headers: { authorization: `Bearer ${key}` } } }
  return sdk === 'v1' ? connectLegacy(new URL(url), options) : connectModern(new URL(url), options)
}

/** A person who agrees to everything and is called Ada. */
function createPerson() {
  const asked: Any[] = []
  const answer = ({ params }: Any): Any => {
    asked.push(params)
    return params.mode === 'url' ? { action: 'accept' } : { action: 'accept', content: { name: 'Ada' } }
  }
  return { asked, answer }
}

async function connectLegacy(url: URL, options: object): Promise<SdkClient> {
  let changes = 0
  const { asked, answer } = createPerson()
  const client = new LegacyClient(info, { capabilities })
  client.setRequestHandler(ElicitRequestSchema, answer)
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    changes += 1
  })
  const transport = new LegacyTransport(url, options)
  await client.connect(transport as Any)
  return {
    ...{ serverInfo: client.getServerVersion(), asked, changes: () => changes },
    page: (cursor) => client.listTools(cursor === undefined ? {} : { cursor }),
    call: (name, args = {}, how = {}) => client.callTool({ name, arguments: args as Any }, undefined, how),
    close: async () => {
      await transport.terminateSession()
      await client.close()
    },
  }
}

async function connectModern(url: URL, options: object): Promise<SdkClient> {
  let changes = 0
  const { asked, answer } = createPerson()
  const onChanged = () => {
    changes += 1
  }
  const client = new ModernClient(info, {
    ...{ capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } },
  } as Any)
  client.setRequestHandler('elicitation/create', answer)
  await client.connect(new ModernTransport(url, options))
  return {
    ...{ serverInfo: client.getServerVersion(), asked, changes: () => changes },
    page: (cursor) => client.request({ method: 'tools/list', params: cursor === undefined ? {} : { cursor } } as Any),
    call: (name, args = {}, how = {}) => client.callTool({ name, arguments: args as Any }, how),
    close: () => client.close(),
  }
}
