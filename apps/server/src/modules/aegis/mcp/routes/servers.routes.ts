import { apiErrors } from '../../../../kernel/errors/errors.ts'
import { scopeOf } from '../../../../kernel/module/request-scope.ts'
import { routesOf } from '../../../../kernel/module/route.ts'
import { Deleted } from '../../../../kernel/schema/types.ts'
import { errors } from '../../errors/errors.ts'
import {
  CreateServer,
  DeleteServerQuery,
  ListedServer,
  McpServer,
  PatchServer,
  ScanServer,
  ScanSummary,
  ServerFilter,
} from '../declared/server-schema.ts'
import { servers, tools } from '../declared/tables.ts'
import { ListedTool, McpTool, PatchTool, ToolFilter } from '../declared/tool-schema.ts'
import { changeServer, removeServer } from '../servers/change.ts'
import { decideTool } from '../servers/decide.ts'
import type { McpParts } from '../servers/parts.ts'
import { registerServer } from '../servers/register.ts'
import { scanNow } from '../servers/scan-now.ts'
import { listServers, listTools, serverView } from '../servers/view.ts'

const route = routesOf<{ readonly mcp: McpParts }>()

export const mcpServerRoutes = [
  route.get('/mcp-servers', {
    permission: 'aegis:read',
    summary: 'List the MCP servers',
    description: '`severity` finds servers with such a finding in their own texts or in a tool.',
    query: ServerFilter,
    list: { table: servers, default: '-created_at' },
    returns: [200, ListedServer],
    handler: ({ tx, page, query: filter }) => listServers(tx, { page, filter }),
  }),
  route.post('/mcp-servers', {
    permission: 'aegis:write',
    summary: 'Register an MCP server',
    description:
      'By `url`, or by `server_json` in the form of the MCP registry. The server is asked for its era and its tools, which wait as `pending` until they are approved; one that does not answer is stored with `last_error` and asked again. A private address takes `internal` and a network that the operator allows.',
    body: CreateServer,
    returns: [201, McpServer],
    audit: 'aegis.mcp_server.create',
    ownTransactions: true,
    errors: [apiErrors.validation, errors.exists, errors.addressRefused],
    handler: (context) => registerServer(context.services.mcp, scopeOf(context), context.body),
  }),
  route.get('/mcp-servers/{mcp_server_id}', {
    permission: 'aegis:read',
    summary: 'See an MCP server',
    returns: [200, McpServer],
    errors: [apiErrors.notFound],
    handler: async ({ tx, params }) => serverView(tx, await servers.need(tx, params.mcp_server_id)),
  }),
  route.patch('/mcp-servers/{mcp_server_id}', {
    permission: 'aegis:admin',
    summary: 'Change, suspend or resume an MCP server',
    description:
      'A merge patch. A new address sends every approved tool back to `pending` and needs the secret again. `approve_server_pins` approves the instructions and the identity that were seen last.',
    body: PatchServer,
    returns: [200, McpServer],
    audit: 'aegis.mcp_server.update',
    ownTransactions: true,
    errors: [
      ...[apiErrors.notFound, apiErrors.preconditionFailed, apiErrors.validation],
      ...[errors.illegalMove, errors.addressRefused],
    ],
    handler: (context) => {
      const { params, body: input, precondition, services } = context
      return changeServer(services.mcp, scopeOf(context), { id: params.mcp_server_id, input, precondition })
    },
  }),
  route.delete('/mcp-servers/{mcp_server_id}', {
    permission: 'aegis:admin',
    summary: 'Remove an MCP server with its tools',
    description: 'Records of its calls stay.',
    query: DeleteServerQuery,
    returns: [200, Deleted],
    audit: 'aegis.mcp_server.delete',
    errors: [apiErrors.notFound, apiErrors.preconditionFailed, errors.inUse],
    handler: ({ tx, kernel, params, query, precondition }) =>
      removeServer(tx, {
        id: params.mcp_server_id,
        force: query.force === true,
        precondition,
        now: kernel.clock.now(),
      }),
  }),
  route.post('/mcp-servers/{mcp_server_id}/scan', {
    permission: 'aegis:write',
    summary: 'List and scan the definitions of an MCP server',
    description:
      'Asks the server now. With `definitions` those are scanned instead, without asking the server and without storing anything.',
    body: ScanServer,
    returns: [200, ScanSummary],
    audit: 'aegis.mcp_server.scan',
    rateClass: 'expensive',
    ownTransactions: true,
    errors: [apiErrors.notFound, errors.upstream],
    handler: (context) =>
      scanNow(context.services.mcp, scopeOf(context), { id: context.params.mcp_server_id, input: context.body }),
  }),
  route.get('/mcp-servers/{mcp_server_id}/tools', {
    permission: 'aegis:read',
    summary: 'List the tools of an MCP server with their pins',
    description: '`definition` is approved and what agents get; `candidate` was seen last where that differs.',
    query: ToolFilter,
    list: { table: tools, default: '-created_at' },
    returns: [200, ListedTool],
    errors: [apiErrors.notFound],
    handler: ({ tx, kernel, page, params, query: filter }) =>
      listTools(tx, { serverId: params.mcp_server_id, page, filter, now: kernel.clock.now() }),
  }),
  route.patch('/mcp-servers/{mcp_server_id}/tools/{mcp_tool_id}', {
    permission: 'aegis:admin',
    summary: 'Approve or deny a tool, or set its labels',
    description:
      'To approve, `pin_sha256` is the `candidate_sha256` that was looked at; a definition that moved since is AEGIS-016.',
    body: PatchTool,
    returns: [200, McpTool],
    audit: 'aegis.mcp_tool.update',
    errors: [
      ...[apiErrors.notFound, apiErrors.preconditionFailed, apiErrors.validation],
      ...[errors.illegalMove, errors.pinMoved],
    ],
    handler: ({ tx, kernel, actor, params, body: input, precondition }) =>
      decideTool(kernel, tx, {
        serverId: params.mcp_server_id,
        toolId: params.mcp_tool_id,
        actor,
        input,
        precondition,
      }),
  }),
]
