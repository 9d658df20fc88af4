import { table } from '../../../../kernel/db/table.ts'
import { resource } from '../../../../kernel/resource/resource.ts'
import { errors } from '../../errors/errors.ts'
import { CallRow, TaintRow } from './call-schema.ts'
import { ServerRow } from './server-schema.ts'
import { ToolRow } from './tool-schema.ts'

/** Topic of changes that the snapshots in memory follow. */
export const mcpTopic = 'aegis.mcp'

export const servers = table({
  name: 'aegis_mcp_server',
  noun: 'MCP server',
  row: ServerRow,
  sorts: ['created_at', 'name'],
  dueBy: ['next_check_at'],
  inTenantCopies: true,
  data: { category: 'configuration', subject: [], retention: 'tenant', erasure: 'none' },
})

export const tools = table({
  name: 'aegis_mcp_tool',
  noun: 'tool',
  row: ToolRow,
  sorts: ['created_at', 'name'],
  inTenantCopies: true,
  data: { category: 'configuration', subject: ['decided_by'], retention: 'tenant', erasure: 'keep_pseudonymous' },
})

export const calls = table({
  name: 'aegis_mcp_call',
  noun: 'call',
  row: CallRow,
  append: true,
  dueBy: ['created_at'],
  data: { category: 'agent_activity', subject: [], retention: 'P30D', erasure: 'none' },
})

export const taints = table({
  name: 'aegis_mcp_taint',
  noun: 'labels of a conversation',
  row: TaintRow,
  key: ['agent_id', 'key'],
  dueBy: ['updated_at'],
  data: { category: 'agent_activity', subject: [], retention: 'P1D', erasure: 'none' },
})

export const serverResource = resource({
  table: servers,
  kind: 'mcp_server',
  announces: mcpTopic,
  unique: {
    aegis_mcp_server_slug: ({ slug }: ServerRow) => errors.exists({ what: `MCP server with the slug ${slug}` }),
  },
})

export const toolResource = resource({ table: tools, kind: 'mcp_tool', announces: mcpTopic })
