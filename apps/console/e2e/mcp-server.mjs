/** A small MCP server of the 2026-07-28 revision, whose tools a check may change, and a client that calls through the firewall. */
import { createServer } from 'node:http'

const version = '2026-07-28'
const number = { type: 'number' }
const schema = { type: 'object', properties: { a: number, b: number } }

export async function openMcpServer() {
  const tools = [
    { name: 'get-sum', description: 'Adds two numbers.', inputSchema: schema },
    { name: 'get-env', description: 'Gives the environment of the server.', inputSchema: { type: 'object' } },
  ]
  const server = createServer(async (request, response) => {
    const pieces = []
    for await (const piece of request) pieces.push(piece)
    const { id, method, params } = JSON.parse(Buffer.concat(pieces).toString() || '{}')
    const result = resultOf(tools, method, params)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } }))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    tools,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

function resultOf(tools, method, params) {
  if (method === 'server/discover') return { supportedVersions: [version], capabilities: { tools: {} } }
  if (method === 'tools/list') return { tools, ttlMs: 0, cacheScope: 'private' }
  const { a, b } = params.arguments
  return { content: [{ type: 'text', text: `The sum is ${a + b}.` }] }
}

let calls = 0

/** One call of a tool by an agent. */
export async function callTool({ api, slug, key }, name, args) {
  calls += 1
  const answer = await fetch(`${api}/api/v1/aegis/mcp/${slug}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: calls,
      method: 'tools/call',
      params: {
        name,
        arguments: args,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientInfo': { name: 'console-e2e', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  })
  return answer.text()
}
