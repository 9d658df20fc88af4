/** A scan that a person asks for: of the live server, or of definitions that are not registered. Tested in servers.test.ts. */
import type { TenantScope } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { errors } from '../../errors/errors.ts'
import type { ScanServer, ScanSummary } from '../declared/server-schema.ts'
import { servers } from '../declared/tables.ts'
import { shadowsOf } from '../scan/shadowing.ts'
import { UpstreamFault } from '../upstream/fault.ts'
import { checkServer } from './check.ts'
import { scan } from './examine.ts'
import type { McpParts } from './parts.ts'

/** @throws API-013, AEGIS-011 */
export async function scanNow(
  parts: McpParts,
  scope: TenantScope,
  { id, input }: { readonly id: string; readonly input: ScanServer },
): Promise<ScanSummary> {
  if (input.definitions !== undefined) return scanOffline(parts, scope, { id, definitions: input.definitions })
  try {
    const row = await checkServer(parts, scope, { id, always: true })
    if (row.last_scan === null) throw new Error('A check that ends well leaves its scan')
    return row.last_scan
  } catch (error) {
    throw error instanceof UpstreamFault ? errors.upstream({ why: error.message }).causedBy(error) : error
  }
}

interface Offline {
  readonly id: string
  readonly definitions: NonNullable<ScanServer['definitions']>
}

async function scanOffline(parts: McpParts, scope: TenantScope, { id, definitions }: Offline): Promise<ScanSummary> {
  const { kernel } = parts
  const others = await kernel.db.tenant({ ...scope, readOnly: true }, async (tx) => {
    await servers.need(tx, id)
    return tx.query(sql<{ server_slug: string; name: string }>`
      select server.slug as server_slug, tool.name from aegis_mcp_tool tool
      join aegis_mcp_server server on server.id = tool.server_id
      where tool.server_id <> ${id} and tool.status not in ('removed', 'denied') order by server.slug, tool.name limit 5000`)
  })
  const plain = definitions.map((definition): Record<string, unknown> => ({ ...definition }))
  const scanned = await scan(parts, { definitions: plain, instructions: null })
  const own = plain.map(({ name, description }) => ({ name: String(name ?? ''), text: String(description ?? '') }))
  const findings = [...scanned.joined, ...scanned.tools.flatMap((tool) => tool.findings)]
  return {
    ...{ at: kernel.clock.iso(), score: scanned.score, changed: [], renamed: [], shadowed: shadowsOf({ own, others }) },
    findings: findings.toSorted((one, other) => other.score - one.score).slice(0, 100),
  }
}
