/**
 * A check of a server: its definitions are listed, scanned where they moved, and stored. Runs when a server is registered
 * or scanned, when it tells of a change, and every 300 s at most. Tested in servers.test.ts.
 */
import type { TenantScope, Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { anyVersion } from '../../../../kernel/http/answer/etag.ts'
import type { JobDeclaration } from '../../../../kernel/module/module.ts'
import { type Held, hold, write } from '../../../../kernel/resource/resource.ts'
import { serverScanned } from '../declared/events.ts'
import type { Finding } from '../declared/finding-schema.ts'
import type { ListPins, ScanSummary, ServerRow } from '../declared/server-schema.ts'
import { mcpSettings } from '../declared/settings.ts'
import { serverResource, servers } from '../declared/tables.ts'
import { type Severity, severities } from '../declared/words.ts'
import { compare } from '../pins/compare.ts'
import { pinOf } from '../pins/pin.ts'
import type { DefinitionsScan } from '../scan/scan-definitions.ts'
import { type Shadow, shadowsOf } from '../scan/shadowing.ts'
import { UpstreamFault } from '../upstream/fault.ts'
import { type Applied, applyTools, readTools } from './apply.ts'
import { type Examined, examine, scan, scanInputOf } from './examine.ts'
import { infoOf } from './identity.ts'
import type { McpParts } from './parts.ts'

/**
 * Checks a server and gives its row after it. @throws UpstreamFault, which is noted on the server
 * @param always scans although nothing moved
 */
export async function checkServer(
  parts: McpParts,
  scope: TenantScope,
  { id, always }: { readonly id: string; readonly always: boolean },
): Promise<ServerRow> {
  const { kernel } = parts
  const row = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => servers.need(tx, id))
  let seen: Examined
  try {
    seen = await examine(parts, scope, row)
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error
    await kernel.db.tenant(scope, (tx) => noteFailure(parts, tx, { row, why: error.message }))
    throw error
  }
  const isSame = !always && (await kernel.db.tenant(scope, (tx) => unmoved(tx, { row, seen })))
  if (isSame) return kernel.db.tenant(scope, (tx) => noteUnmoved(parts, tx, row))
  const scanned = await scan(parts, scanInputOf(seen.inventory))
  return kernel.db.tenant(scope, (tx) => store(parts, tx, { id, seen, scanned }))
}

async function unmoved(tx: Tx, { row, seen }: { readonly row: ServerRow; readonly seen: Examined }): Promise<boolean> {
  const { added, changed, restored, removed } = compare(await readTools(tx, row.id), seen.live)
  const { pins } = row
  return (
    row.last_scan !== null &&
    [added, changed, restored, removed].every((list) => list.length === 0) &&
    (pins.candidate_instructions ?? pins.instructions ?? pinOfNothing) === (seen.instructionsPin ?? pinOfNothing) &&
    (pins.candidate_server_info ?? pins.server_info) === seen.infoPin &&
    isSame(pins.candidate_prompts ?? pins.prompts, seen.prompts) &&
    isSame(pins.candidate_resource_templates ?? pins.resource_templates, seen.templates) &&
    row.era === seen.inventory.era
  )
}

const isSame = (one: ListPins, other: ListPins): boolean => pinOf(one) === pinOf(other)

const nextAt = ({ kernel }: McpParts, row: Pick<ServerRow, 'recheck_seconds'>): string =>
  new Date(kernel.clock.now() + row.recheck_seconds * 1_000).toISOString()

/** The times alone: nothing that anybody decided about is different. */
async function noteUnmoved(parts: McpParts, tx: Tx, row: ServerRow): Promise<ServerRow> {
  await servers.patch(tx, row.id, {
    checked_at: parts.kernel.clock.iso(),
    next_check_at: nextAt(parts, row),
    last_error: null,
  })
  return servers.need(tx, row.id)
}

async function noteFailure(
  parts: McpParts,
  tx: Tx,
  { row, why }: { readonly row: ServerRow; readonly why: string },
): Promise<void> {
  const at = parts.kernel.clock.iso()
  await servers.patch(tx, row.id, { checked_at: at, next_check_at: nextAt(parts, row), last_error: why.slice(0, 300) })
}

interface Storing {
  readonly id: string
  readonly seen: Examined
  readonly scanned: DefinitionsScan
}

async function store(parts: McpParts, tx: Tx, { id, seen, scanned }: Storing): Promise<ServerRow> {
  const { kernel } = parts
  const held = await hold(tx, serverResource, { id, precondition: anyVersion })
  const applied = await applyTools(kernel, tx, { server: held.row, live: seen.live, scanned: scanned.tools })
  const shadowed = await shadows(tx, id, seen)
  const summary = summaryOf({ at: kernel.clock.iso(), scanned, applied, shadowed })
  const bySeverity = countBySeverity([...scanned.joined, ...scanned.tools.flatMap(({ findings }) => findings)])
  const row = await write(kernel, tx, held, {
    ...seenOf(parts, held, seen),
    ...suspension(parts, tx, held, bySeverity),
    last_scan: summary,
  })
  const told = {
    ...{ server_id: id, server: row.slug, score: scanned.score, findings_by_severity: bySeverity },
    highest_severity: severities.find((severity) => bySeverity[severity] > 0) ?? null,
    ...{ changed: applied.changed.length, renamed: applied.renamed.length, shadowed: shadowed.length },
  }
  await tx.emit(serverScanned, id, told)
  await tx.audit('aegis.mcp_server.scan', {
    target: `mcp_server:${id}`,
    after: { ...told, added: applied.added, removed: applied.removed },
  })
  return row
}

/** Facts of the server itself as the check saw them. The first check sets the pins. */
function seenOf(
  parts: McpParts,
  { row }: Held<ServerRow>,
  { inventory, instructionsPin, infoPin, prompts, templates }: Examined,
): Partial<ServerRow> {
  const isFirst = row.last_scan === null
  const pins = isFirst
    ? {
        ...{ instructions: instructionsPin, candidate_instructions: null },
        ...{ server_info: infoPin, candidate_server_info: null },
        ...{ prompts, candidate_prompts: null },
        ...{ resource_templates: templates, candidate_resource_templates: null },
      }
    : {
        ...row.pins,
        candidate_instructions: instructionsPin === row.pins.instructions ? null : (instructionsPin ?? pinOfNothing),
        candidate_server_info: infoPin === row.pins.server_info ? null : infoPin,
        candidate_prompts: isSame(prompts, row.pins.prompts) ? null : prompts,
        candidate_resource_templates: isSame(templates, row.pins.resource_templates) ? null : templates,
      }
  return {
    ...{ era: inventory.era, protocol_version: inventory.version, capabilities: { ...inventory.capabilities }, pins },
    // Those that were approved are served; others wait beside them.
    ...(pins.candidate_instructions === null ? { instructions: inventory.instructions } : {}),
    server_info: infoOf(inventory.serverInfo),
    ...{ checked_at: parts.kernel.clock.iso(), next_check_at: nextAt(parts, row), last_error: null },
  }
}

/** SHA-256 of nothing: instructions that were approved and are gone. */
export const pinOfNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

function suspension(
  { kernel }: McpParts,
  tx: Tx,
  { row }: Held<ServerRow>,
  found: Readonly<Record<Severity, number>>,
): Partial<ServerRow> {
  if (found.critical === 0 || row.status === 'suspended') return {}
  if (!kernel.settings.get(mcpSettings, tx.tenantId).suspend_on_critical) return {}
  return { status: 'suspended', status_reason: 'A scan of the definitions found something critical.' }
}

async function shadows(tx: Tx, id: string, { live, inventory }: Examined): Promise<Shadow[]> {
  const others = await tx.query(sql<{ server_slug: string; name: string }>`
    select server.slug as server_slug, tool.name from aegis_mcp_tool tool
    join aegis_mcp_server server on server.id = tool.server_id
    where tool.server_id <> ${id} and tool.status not in ('removed', 'denied') order by server.slug, tool.name limit 5000`)
  const own = live.map(({ name, definition }) => ({ name, text: String(definition.description ?? '') }))
  const said = inventory.instructions === null ? [] : [{ name: '', text: inventory.instructions }]
  return shadowsOf({ own: [...own, ...said], others })
}

interface Summing {
  readonly at: string
  readonly scanned: DefinitionsScan
  readonly applied: Applied
  readonly shadowed: readonly Shadow[]
}

function summaryOf({ at, scanned, applied, shadowed }: Summing): ScanSummary {
  const findings = [...scanned.joined, ...scanned.tools.flatMap((tool) => tool.findings)]
    .toSorted((one, other) => other.score - one.score)
    .slice(0, 100)
  const { changed, renamed } = applied
  return {
    at,
    score: scanned.score,
    findings,
    changed: changed.slice(0, 1000),
    renamed: renamed.slice(0, 1000),
    shadowed: [...shadowed],
  }
}

export function countBySeverity(findings: readonly Finding[]): Record<Severity, number> {
  const counts = { critical: 0, high: 0, medium: 0, low: 0 }
  for (const { severity } of findings) counts[severity] += 1
  return counts
}

/** Servers of one run; the rest is due again. */
const batch = 20

interface Services {
  readonly mcp: McpParts
}

export const recheckJob: JobDeclaration<Services> = {
  kind: 'aegis.mcp_server.recheck',
  maxAttempts: 3,
  leaseMs: 300_000,
  everyMs: 30_000,
  due: ({ now }) => sql`exists (
    select from aegis_mcp_server held where held.tenant_id = tenant.id and held.next_check_at <= ${now})`,
  run: async ({ tenantId, kernel, services, signal }) => {
    const due = await kernel.db.read(
      tenantId,
      sql<{ id: string }>`select id from aegis_mcp_server where next_check_at <= ${kernel.clock.iso()}
        order by next_check_at, id limit ${batch}`,
    )
    for (const { id } of due) {
      if (signal.aborted) return
      await checkServer(services.mcp, { tenantId }, { id, always: false }).catch((error: unknown) => {
        if (!(error instanceof UpstreamFault)) throw error
      })
    }
  },
}

/** A check that was asked for by a change that the server told of: one waits at most. */
export const checkJob: JobDeclaration<Services> = {
  kind: 'aegis.mcp_server.check',
  maxAttempts: 2,
  leaseMs: 120_000,
  everyMs: null,
  run: async ({ tenantId, services, payload }) => {
    await checkServer(services.mcp, { tenantId }, { id: String(payload.server_id), always: false }).catch(
      (error: unknown) => {
        if (!(error instanceof UpstreamFault)) throw error
      },
    )
  },
}
