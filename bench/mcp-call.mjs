// Calls of a tool as a client of the 2026-07-28 revision sends them, each with an id and a text of its own.
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
let id = 0
const body = () => {
  id += 1
  const params = { name: 'echo', arguments: { text: `The figures of October, part ${id}` }, _meta: meta }
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
}
/** A call of `echo` at the server itself, at a bare proxy, or through the firewall where there is a secret. */
export const targetOf = ({ port, secret }) => ({
  ...{ port, body, path: secret === undefined ? '/v1/chat/completions' : '/api/v1/aegis/mcp/bench' },
  headers: {
    ...{ accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28' },
    ...{ 'mcp-method': 'tools/call', 'mcp-name': 'echo' },
    ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
  },
})
