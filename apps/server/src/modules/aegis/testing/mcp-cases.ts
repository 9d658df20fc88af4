import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModuleCases } from '../../../../test/generated/module-cases.ts'
import { expectStatus, type TestTenant } from '../../../../test/support/world.ts'

let address: Promise<string> | undefined

/** A small MCP server of the 2026-07-28 revision, for as long as its process lives. */
function upstream(): Promise<string> {
  address ??= new Promise((resolve) => {
    const server = createServer(async (request, response) => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece as Buffer)
      const { id, method } = JSON.parse(Buffer.concat(pieces).toString() || '{}')
      const result =
        method === 'server/discover'
          ? { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
          : {
              resultType: 'complete',
              tools: ['sample', 'another'].map((name) => ({
                ...{ name, description: `Gives a ${name}.`, inputSchema: { type: 'object' } },
              })),
            }
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
    server.unref()
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`))
  })
  return address
}
const url = await upstream()

/** Of the newest server, which the suites have just registered. */
async function newestTools({ admin }: Pick<TestTenant, 'admin'>) {
  const [server] = expectStatus(await admin.get('/aegis/mcp-servers'), 200).body.data
  return admin.get(`/aegis/mcp-servers/${server.id}/tools`)
}

/** The newest server of the tenant, addressed by its name. */
async function newestServer({ admin }: Pick<TestTenant, 'admin'>) {
  const listed = expectStatus(await admin.get('/aegis/mcp-servers', { query: { limit: '1' } }), 200)
  return { ...listed, body: { ...listed.body, data: { id: listed.body.data[0].slug } } }
}

const agentsOnly = ['POST', 'GET', 'DELETE'].map((method) => `${method} /api/v1/aegis/mcp/{server_slug}`)

/** Samples of the MCP firewall. */
export const cases: ModuleCases = {
  bodies: {
    'POST /api/v1/aegis/mcp-servers': (n) => ({ slug: `sample-${n}`, url, internal: true }),
    'PATCH /api/v1/aegis/mcp-servers/{mcp_server_id}': (n) => ({ name: `Sample ${n}` }),
    'PATCH /api/v1/aegis/mcp-servers/{mcp_server_id}/tools/{mcp_tool_id}': (n) => ({
      labels: n % 2 === 0 ? ['external_send'] : ['code_exec'],
    }),
    'POST /api/v1/aegis/mcp/{server_slug}': (n) => ({ jsonrpc: '2.0', id: n, method: 'tools/list' }),
  },
  found: { mcp_tool_id: newestTools, server_slug: newestServer },
  unreached: agentsOnly.filter((name) => !name.startsWith('GET')),
  constants: ['server_slug'],
  noIds: [
    // The name of an OAuth client at the server's own issuer.
    'POST /api/v1/aegis/mcp-servers body/auth/client_id',
    'PATCH /api/v1/aegis/mcp-servers/{mcp_server_id} body/auth/client_id',
    // Of a JSON-RPC message.
    'POST /api/v1/aegis/mcp/{server_slug} body/id',
  ],
  emptyTables: ['aegis_mcp_call', 'aegis_mcp_taint'],
}
