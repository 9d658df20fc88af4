// An MCP server of the 2026-07-28 revision with one tool, as little as one can be; it answers below every path.
import { createServer } from 'node:http'
import { answerUsage } from '../usage.mjs'

const tool = { name: 'echo', description: 'Says a text again.', inputSchema: { type: 'object' } }
const resultOf = ({ method, params }) => {
  if (method === 'server/discover') return { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }
  if (method === 'tools/list') return { tools: [tool], ttlMs: 0, cacheScope: 'private' }
  return { content: [{ type: 'text', text: params.arguments.text }] }
}
const server = createServer((request, response) => {
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    const message = JSON.parse(Buffer.concat(parts))
    const result = { resultType: 'complete', ...resultOf(message) }
    const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, result })
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
  })
})
server.listen(0, '127.0.0.1', () => answerUsage({ port: server.address().port }))
