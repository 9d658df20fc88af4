/** The proxy itself, and the document that tells clients where tokens for it come from. */
import Type from 'typebox'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import { routesOf } from '../../../../kernel/module/route.ts'
import { errors } from '../../errors/errors.ts'
import { mcpForm } from '../proxy/form.ts'
import { handlePost } from '../proxy/handle.ts'
import type { ProxyServices } from '../proxy/services.ts'
import { handleDelete, handleGet } from '../proxy/session-legs.ts'
import { type Members, RpcMessage } from '../wire/json-rpc.ts'

const route = routesOf<{ readonly proxy: ProxyServices }>()
const ServerName = Type.String({ pattern: '^(?:_all|[a-z0-9][a-z0-9-]{0,39})$', maxLength: 40 })

const leg = {
  permission: 'agent',
  params: { server_slug: ServerName },
  raw: mcpForm,
  ownTransactions: true,
} as const

const longestBody = 10 * 1_048_576

export const mcpRoutes = [
  route.post('/mcp/{server_slug}', {
    ...leg,
    summary: 'Send a message to an MCP server through the firewall',
    description:
      'Streamable HTTP of the Model Context Protocol, for registered agents: revision 2026-07-28, and the earlier ones with sessions. Tools are listed from their approved definitions, and a call of any other is refused. Blocked calls are results with `isError`; other refusals are JSON-RPC errors whose `data.error_code` names the reason.',
    open: true,
    anyText: true,
    exactNumbers: true,
    body: RpcMessage,
    bodyLimit: longestBody,
    returns: [200, Type.Unsafe<Members>(RpcMessage)],
    alternatives: [[202, Type.Null()]],
    streams: 'text/event-stream',
    audit: 'aegis.mcp.call',
    rateClass: 'inference',
    errors: [apiErrors.notFound, errors.agentNotActive, errors.killed],
    handler: ({ services, actor, request, params, body }) =>
      handlePost(services.proxy, { actor, request, slug: params.server_slug }, body),
  }),
  route.get('/mcp/{server_slug}', {
    ...leg,
    summary: 'Listen to an MCP server within a session',
    description: 'For clients of the revisions before 2026-07-28. 405 where the server has no such stream.',
    returns: [200, Type.String()],
    files: ['text/event-stream'],
    errors: [apiErrors.notFound, apiErrors.method, errors.agentNotActive, errors.killed],
    handler: ({ services, actor, request, params }) =>
      handleGet(services.proxy, { actor, request, slug: params.server_slug }),
  }),
  route.delete('/mcp/{server_slug}', {
    ...leg,
    summary: 'End a session with an MCP server',
    description: 'For clients of the revisions before 2026-07-28.',
    returns: [204, Type.Null()],
    audit: 'aegis.mcp.end',
    errors: [apiErrors.notFound, errors.agentNotActive, errors.killed],
    handler: async ({ services, actor, request, params }) => {
      await handleDelete(services.proxy, { actor, request, slug: params.server_slug })
      return null
    },
  }),
]
