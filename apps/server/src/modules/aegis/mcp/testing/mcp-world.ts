/** Servers with approved tools, and agents that call them, for tests of the firewall. */
import type { TestAnswer, TestClient } from '../../../../../test/support/client.ts'
import { expectStatus, type TestTenant, type World } from '../../../../../test/support/world.ts'
import { activeAgent } from '../../testing/agents-world.ts'
import type { TestUpstream } from './upstream.ts'

let made = 0

/** A registered server of a local upstream. */
export async function addServer(admin: TestClient, upstream: Pick<TestUpstream, 'url'>, over: object = {}) {
  made += 1
  const body = { slug: `server-${made}`, url: upstream.url, internal: true, default_action: 'allow', trust: 'reviewed' }
  return expectStatus(await admin.post('/aegis/mcp-servers', { ...body, ...over }), 201).body.data
}

export async function toolsOf(admin: TestClient, serverId: string) {
  return expectStatus(await admin.get(`/aegis/mcp-servers/${serverId}/tools?limit=100`), 200).body.data
}

/** Approves all candidates of a server, with labels by name of the tool. */
export async function approveAll(
  admin: TestClient,
  serverId: string,
  labels: Readonly<Record<string, readonly string[]>> = {},
) {
  for (const tool of await toolsOf(admin, serverId)) {
    if (tool.candidate_sha256 === null) continue
    const body = {
      decision: 'approve',
      pin_sha256: tool.candidate_sha256,
      labels: labels[tool.name] ?? [],
      suggested_labels: [],
    }
    expectStatus(await admin.patch(`/aegis/mcp-servers/${serverId}/tools/${tool.id}`, body), 200)
  }
}

/** An agent that may call every tool of every server. */
export function callingAgent(world: World, tenant: TestTenant, over: object = {}) {
  return activeAgent(world, tenant, { tools: [{ server_slug: '*', tool: '*', capability: 'read' }], ...over })
}

export interface Spoken {
  readonly client: TestClient
  readonly slug: string
}

let ids = 0

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** One request of a client of the 2026-07-28 revision. */
export function modernAsk(
  { client, slug }: Spoken,
  method: string,
  params: Record<string, unknown> = {},
  headers: object = {},
): Promise<TestAnswer> {
  ids += 1
  const name = params.name ?? params.uri
  return client.post(
    `/aegis/mcp/${slug}`,
    { jsonrpc: '2.0', id: ids, method, params: { ...params, _meta: { ...modernMeta, ...(params._meta as object) } } },
    {
      headers: {
        ...{
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
          accept: 'application/json, text/event-stream',
        },
        ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
        ...headers,
      },
    },
  )
}

/** A session of a client of the 2025-11-25 revision: asks within it. */
export async function legacySession({ client, slug }: Spoken) {
  ids += 1
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const opened = await client.post(`/aegis/mcp/${slug}`, { jsonrpc: '2.0', id: ids, method: 'initialize', params })
  const session = String(opened.headers['mcp-session-id'])
  const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }
  return {
    ...{ opened, session, headers },
    ask: (method: string, wanted: object = {}) => {
      ids += 1
      return client.post(`/aegis/mcp/${slug}`, { jsonrpc: '2.0', id: ids, method, params: wanted }, { headers })
    },
    tell: (message: object) => client.post(`/aegis/mcp/${slug}`, { jsonrpc: '2.0', ...message }, { headers }),
  }
}
