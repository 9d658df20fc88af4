/** How far the tools of MCP servers are pinned and clean, for the posture and the trust score. Tested in hygiene.test.ts. */
import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { TrustSignal } from '../../../../kernel/trust-signals.ts'

export interface McpHygiene {
  readonly servers: number
  /** Listed tools that are not denied. */
  readonly tools: number
  readonly approved: number
  /** Of the listed tools those with a finding that is critical or high. */
  readonly withFindings: number
}

/** Null without a registered server that lists a tool. */
export async function readHygiene(tx: Tx): Promise<McpHygiene | null> {
  const row = await tx.first(sql<McpHygiene>`
    select count(distinct tool.server_id)::int as servers, count(*)::int as tools,
      (count(*) filter (where tool.status = 'approved'))::int as approved,
      (count(*) filter (where tool.findings @> '[{"severity": "critical"}]' or tool.findings @> '[{"severity": "high"}]'))::int
        as "withFindings"
    from aegis_mcp_tool tool join aegis_mcp_server server on server.id = tool.server_id
    where tool.status in ('pending', 'approved', 'changed') and server.status <> 'suspended'`)
  return row === null || row.tools === 0 ? null : row
}

/** `(approved ÷ tools + (tools − with findings) ÷ tools) ÷ 2`, 0..1. */
export function hygieneOf({ tools, approved, withFindings }: McpHygiene): number {
  return tools === 0 ? 0 : (approved + tools - withFindings) / (2 * tools)
}

/** Share of MCP servers with pinned tool definitions and a default-deny policy, as the trust score defines it. */
export async function mcpSignal(tx: Tx, at: string): Promise<TrustSignal> {
  const source_ref = '/api/v1/aegis/mcp-servers'
  const row = await tx.first(sql<{ good: number; n: number; seen: string | null }>`
    select count(*)::int as n, max(server.checked_at) as seen, (count(*) filter (
        where server.default_action = 'deny' and pins.approved > 0 and pins.open = 0))::int as good
    from aegis_mcp_server server left join (
      select server_id, count(*) filter (where status = 'approved') as approved,
        count(*) filter (where status in ('pending', 'changed')) as open
      from aegis_mcp_tool group by server_id) pins on pins.server_id = server.id
    where server.status <> 'suspended'`)
  if (row === null || row.n === 0)
    return { id: 'mcp_posture', good: null, value: null, n: null, observed_at: null, source_ref }
  const { good, n, seen } = row
  return { id: 'mcp_posture', good, value: null, n, observed_at: seen !== null && seen < at ? seen : at, source_ref }
}
