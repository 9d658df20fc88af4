/**
 * Agents, servers and pins of a tenant in memory, so that a call costs no statement to be judged. Promises that a change
 * counts for the next call on this instance once it is committed, and on every other within a second. Tested in
 * proxy.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { AgentRow } from '../../agents/schema.ts'
import { agents, agentTopic } from '../../agents/tables.ts'
import type { LiveServer, PinnedTool } from '../call/types.ts'
import type { ServerRow } from '../declared/server-schema.ts'
import { mcpTopic, servers, tools } from '../declared/tables.ts'
import type { ToolRow } from '../declared/tool-schema.ts'
import { openSecret } from '../servers/secret.ts'

export interface Snapshot {
  readonly agents: ReadonlyMap<string, AgentRow>
  /** By slug. */
  readonly servers: ReadonlyMap<string, LiveServer>
  /** A tool reads restricted data, or a conversation holds some: without either no call can be refused for it. */
  readonly hasRestricted: boolean
}

export interface Snapshots {
  get(tenantId: TenantId): Snapshot | Promise<Snapshot>
}

const mostTenants = 1_000
/** Age after which a snapshot is read again even without an announced change, in milliseconds. */
const longestLifeMs = 60_000

type Parts = Pick<Kernel, 'clock' | 'live' | 'db' | 'tenantKeys' | 'liveSecrets'>

export function createSnapshots(kernel: Parts): Snapshots {
  const held = new Map<TenantId, { readonly snapshot: Snapshot; readonly at: number }>()
  const loading = new Map<TenantId, Promise<Snapshot>>()
  const forget = (_key: string, _data: unknown, tenantId: TenantId): void => {
    held.delete(tenantId)
    // A read that is under way may have begun before the change: it serves those who wait and is not kept.
    loading.delete(tenantId)
  }
  kernel.live.on(mcpTopic, forget)
  kernel.live.on(agentTopic, forget)
  const begin = (tenantId: TenantId): Promise<Snapshot> => {
    const reading = load(kernel, tenantId)
    loading.set(tenantId, reading)
    const settle = (snapshot: Snapshot | null): void => {
      if (loading.get(tenantId) !== reading) return
      loading.delete(tenantId)
      if (held.size >= mostTenants) held.clear()
      if (snapshot !== null) held.set(tenantId, { snapshot, at: kernel.clock.now() })
    }
    reading.then(settle, () => settle(null))
    return reading
  }
  return {
    get: (tenantId) => {
      const known = held.get(tenantId)
      if (known !== undefined && kernel.clock.now() - known.at < longestLifeMs) return known.snapshot
      return loading.get(tenantId) ?? begin(tenantId)
    },
  }
}

async function load(kernel: Parts, tenantId: TenantId): Promise<Snapshot> {
  const rows = await kernel.db.tenant({ tenantId, readOnly: true, snapshot: true }, async (tx) => ({
    agents: await tx.query(sql<AgentRow>`select ${agents.columns} from aegis_agent where status <> 'retired'`),
    servers: await tx.query(sql<ServerRow>`select ${servers.columns} from aegis_mcp_server`),
    tools: await tx.query(sql<ToolRow>`select ${tools.columns} from aegis_mcp_tool order by position, id`),
    restricted: await tx.query(sql`
      select agent_id from aegis_mcp_taint where 'private:restricted' = any(labels) limit 1`),
  }))
  const live = await Promise.all(
    rows.servers.map(async (row) => {
      const own = rows.tools.filter(({ server_id: id }) => id === row.id).map(pinned)
      return [row.slug, await liveServer(kernel, tenantId, { row, own })] as const
    }),
  )
  const isReader = ({ labels, suggested_labels: suggested }: ToolRow): boolean =>
    [...labels, ...suggested].includes('reads_private:restricted')
  return {
    ...{ agents: new Map(rows.agents.map((agent) => [agent.id, agent])), servers: new Map(live) },
    hasRestricted: rows.restricted.length > 0 || rows.tools.some(isReader),
  }
}

function pinned({
  id,
  name,
  status,
  definition,
  pin_sha256: pin,
  labels,
  suggested_labels: suggested,
}: ToolRow): PinnedTool {
  return { id, name, status, definition, pin, labels: new Set([...labels, ...suggested]) }
}

async function liveServer(
  kernel: Parts,
  tenantId: TenantId,
  { row, own }: { readonly row: ServerRow; readonly own: readonly PinnedTool[] },
): Promise<LiveServer> {
  const { id, url, internal, timeouts, auth } = row
  const secret = await openSecret(kernel, tenantId, row)
  return {
    row,
    upstream: { id, url, internal, timeouts, auth, secret },
    tools: new Map(own.map((tool) => [tool.name, tool])),
    approved: own.filter(({ status }) => status === 'approved'),
    instructions: isPoisoned(row) ? null : row.instructions,
  }
}

/** Instructions with a grave finding of the scan are withheld until a person has looked at the server. */
function isPoisoned({ last_scan: scan }: ServerRow): boolean {
  const grave = scan?.findings.some(
    ({ tool, pointer, severity }) =>
      tool === '' && pointer === '/instructions' && (severity === 'critical' || severity === 'high'),
  )
  return grave ?? false
}
