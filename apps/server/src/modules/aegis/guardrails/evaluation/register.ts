/**
 * MCP servers and their tools as they are registered now: a record names them and keeps neither labels nor trust. Tested in
 * recorded.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import type { Database } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { TrustLevel } from '../declared/words.ts'
import type { GuardedServer, GuardedTool } from '../engine/context.ts'

export interface Register {
  server(slug: string): GuardedServer
  tool(slug: string, name: string): GuardedTool
}

interface ServerRow {
  readonly slug: string
  readonly trust: TrustLevel
  readonly labels: readonly string[]
}

interface ToolRow {
  readonly slug: string
  readonly name: string
  readonly labels: readonly string[]
  readonly annotations: Readonly<Record<string, unknown>> | null
  readonly pinned: boolean
}

const mostServers = 2_000
const mostTools = 20_000

export async function readRegister(db: Pick<Database, 'read'>, tenantId: TenantId): Promise<Register> {
  const servers = await db.read(
    tenantId,
    sql<ServerRow>`select slug, trust, labels from aegis_mcp_server order by created_at desc, id limit ${mostServers}`,
  )
  const tools = await db.read(
    tenantId,
    sql<ToolRow>`
      select server.slug, tool.name, tool.labels || tool.suggested_labels as labels,
        tool.definition -> 'annotations' as annotations, tool.status = 'approved' as pinned
      from aegis_mcp_tool tool join aegis_mcp_server server on server.id = tool.server_id
      order by tool.created_at desc, tool.id limit ${mostTools}`,
  )
  return registerOf(servers, tools)
}

/** Pure. Unregistered servers and tools get the lowest trust and have no known properties. */
export function registerOf(servers: readonly ServerRow[], tools: readonly ToolRow[]): Register {
  const bySlug = new Map(servers.map((server) => [server.slug, server]))
  const byName = new Map(tools.map((tool) => [`${tool.slug}/${tool.name}`, tool]))
  return {
    server: (slug) => bySlug.get(slug) ?? { slug, trust: 'untrusted', labels: [] },
    tool: (slug, name) => {
      const known: Partial<ToolRow> = byName.get(`${slug}/${name}`) ?? {}
      const { labels = [], annotations, pinned = false } = known
      return { name, labels: [...new Set(labels)], annotations: annotations ?? {}, pinned }
    },
  }
}
