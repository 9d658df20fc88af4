/** Servers and tools as they are shown. Tested in servers.test.ts. */
import { likePrefix } from '../../../../kernel/db/like-prefix.ts'
import type { Tx } from '../../../../kernel/db/port.ts'
import { join, type SqlPart, sql } from '../../../../kernel/db/sql.ts'
import type { Page, PageRequest } from '../../../../kernel/db/table.ts'
import { Versioned } from '../../../../kernel/module/route.ts'
import type { McpServer, ServerFilter, ServerRow } from '../declared/server-schema.ts'
import { servers, tools } from '../declared/tables.ts'
import type { McpTool, ToolFilter, ToolRow } from '../declared/tool-schema.ts'
import { diffOf } from '../pins/diff.ts'

type Counts = McpServer['tools']
const none: Counts = { total: 0, pending: 0, approved: 0, changed: 0, denied: 0, removed: 0 }

async function countTools(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, Counts>> {
  const rows = await tx.query(sql<{ server_id: string; status: keyof Counts; count: number }>`
    select server_id, status, count(*)::int as count from aegis_mcp_tool
    where server_id = any(${ids}::uuid[]) group by server_id, status`)
  const found = new Map<string, Counts>()
  for (const { server_id: id, status, count } of rows) {
    const before = found.get(id) ?? none
    found.set(id, { ...before, [status]: count, total: before.total + count })
  }
  return found
}

function viewOf(row: ServerRow, counts: Counts = none): McpServer {
  const { version: _version, secret, instructions: _instructions, next_check_at: _next, ...shown } = row
  return { ...shown, has_secret: secret !== null, tools: counts }
}

export async function serverView(tx: Tx, row: ServerRow): Promise<Versioned<McpServer>> {
  const counts = await countTools(tx, [row.id])
  return new Versioned(viewOf(row, counts.get(row.id)), row.version)
}

export async function listServers(
  tx: Tx,
  { page, filter }: { readonly page: PageRequest; readonly filter: ServerFilter },
): Promise<Page<Versioned<McpServer>>> {
  const { status, trust, era, severity, q } = filter
  const where: readonly SqlPart[] = [
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(trust === undefined ? [] : [sql`trust = ${trust}`]),
    ...(era === undefined ? [] : [sql`era = ${era}`]),
    ...(severity === undefined ? [] : [withFinding(severity)]),
    ...(q === undefined ? [] : [sql`(slug like ${likePrefix(q)} or lower(name) like ${likePrefix(q)})`]),
  ]
  const found = await servers.page(tx, page, join([sql`true`, ...where], ' and '))
  const counts = await countTools(
    tx,
    found.items.map(({ id }) => id),
  )
  return { ...found, items: found.items.map((row) => new Versioned(viewOf(row, counts.get(row.id)), row.version)) }
}

/** With a finding of that severity in the server's own texts or in a tool that is not gone. */
const withFinding = (severity: string): SqlPart => {
  const wanted = JSON.stringify([{ severity }])
  return sql`(last_scan -> 'findings' @> ${wanted}::jsonb or exists (
    select from aegis_mcp_tool tool where tool.server_id = aegis_mcp_server.id and tool.status <> 'removed'
      and tool.findings @> ${wanted}::jsonb))`
}

type Usage = McpTool['usage']
const unused: Usage = { calls_24h: 0, denied_24h: 0, agents: [] }
const dayMs = 86_400_000
const mostAgents = 20

async function usageOf(tx: Tx, serverId: string, now: number): Promise<ReadonlyMap<string, Usage>> {
  const rows = await tx.query(sql<{ tool: string; calls: number; denied: number; agents: string[] }>`
    select tool, count(*)::int as calls, (count(*) filter (where decision = 'denied'))::int as denied,
      (array_agg(distinct agent_id))[1:${mostAgents}::int] as agents
    from aegis_mcp_call
    where server_id = ${serverId} and tool is not null and created_at > ${new Date(now - dayMs).toISOString()}
    group by tool`)
  return new Map(
    rows.map(({ tool, calls, denied, agents }) => [tool, { calls_24h: calls, denied_24h: denied, agents }]),
  )
}

function toolViewOf(row: ToolRow, usage: Usage = unused): Versioned<McpTool> {
  const { version, position: _position, ...shown } = row
  const diff = row.definition === null || row.candidate === null ? [] : diffOf(row.definition, row.candidate)
  return new Versioned({ ...shown, diff, usage }, version)
}

export async function toolView(tx: Tx, row: ToolRow, now: number): Promise<Versioned<McpTool>> {
  return toolViewOf(row, (await usageOf(tx, row.server_id, now)).get(row.name))
}

export interface ToolListing {
  readonly serverId: string
  readonly page: PageRequest
  readonly filter: ToolFilter
  readonly now: number
}

/** @throws API-013 */
export async function listTools(
  tx: Tx,
  { serverId, page, filter, now }: ToolListing,
): Promise<Page<Versioned<McpTool>>> {
  const { status, q } = filter
  const where: readonly SqlPart[] = [
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(q === undefined ? [] : [sql`lower(name) like ${likePrefix(q)}`]),
  ]
  const found = await tools.page(tx, page, join([sql`server_id = ${serverId}`, ...where], ' and '))
  await servers.need(tx, serverId)
  const usage = await usageOf(tx, serverId, now)
  return { ...found, items: found.items.map((row) => toolViewOf(row, usage.get(row.name))) }
}
