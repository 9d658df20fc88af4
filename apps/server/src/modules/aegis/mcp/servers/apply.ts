/** Stores an inventory: pins that moved, findings, and an event for each tool. Tested in servers.test.ts. */
import type { Tx } from '../../../../kernel/db/port.ts'
import { insertMany } from '../../../../kernel/db/rows.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import { newRow } from '../../../../kernel/resource/resource.ts'
import { toolChanged } from '../declared/events.ts'
import type { ServerRow } from '../declared/server-schema.ts'
import { tools } from '../declared/tables.ts'
import type { ToolRow } from '../declared/tool-schema.ts'
import type { ToolChange } from '../declared/words.ts'
import { type Comparison, compare, type LiveTool } from '../pins/compare.ts'
import type { ScannedDefinition } from '../scan/scan-definitions.ts'
import { suggestedLabels } from '../scan/suggest-labels.ts'

type Making = Pick<Kernel, 'clock' | 'random'>

export interface Applied {
  readonly changed: readonly string[]
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  readonly added: number
  readonly removed: number
}

export interface Applying {
  readonly server: Pick<ServerRow, 'id' | 'slug'>
  readonly live: readonly LiveTool[]
  /** Null where nothing was scanned because nothing moved. */
  readonly scanned: readonly ScannedDefinition[]
}

export function readTools(tx: Tx, serverId: string): Promise<readonly ToolRow[]> {
  return tx.query(sql<ToolRow>`
    select ${tools.columns} from aegis_mcp_tool where server_id = ${serverId} order by position, id for update`)
}

/** Moves the pins of a server whose row is held. */
export async function applyTools(kernel: Making, tx: Tx, { server, live, scanned }: Applying): Promise<Applied> {
  const known = await readTools(tx, server.id)
  const found = compare(known, live)
  const scans = new Map(scanned.map((scan) => [scan.name, scan]))
  const happened: Happening[] = []
  happened.push(...(await addTools(kernel, tx, { server, found, scans })))
  for (const { known: row, live: tool } of found.changed) {
    const status =
      row.status === 'approved' || row.pin_sha256 !== null
        ? keptOr(row.status, 'changed')
        : keptOr(row.status, 'pending')
    await tools.patchVersion(tx, row.id, {
      ...{ candidate: { ...tool.definition }, candidate_sha256: tool.pin, status, position: tool.position },
      ...findingsOf(scans.get(tool.name)),
      updated_at: kernel.clock.iso(),
    })
    happened.push({ row, change: 'changed', newPin: tool.pin, poison: scans.get(tool.name)?.score ?? 0 })
  }
  for (const { known: row, live: tool } of found.restored) {
    const back = { candidate: null, candidate_sha256: null, status: 'approved' as const, position: tool.position }
    await tools.patchVersion(tx, row.id, {
      ...back,
      ...findingsOf(scans.get(tool.name)),
      updated_at: kernel.clock.iso(),
    })
    happened.push({ row, change: 'restored', newPin: tool.pin, poison: scans.get(tool.name)?.score ?? 0 })
  }
  for (const row of found.removed) {
    await tools.patchVersion(tx, row.id, { status: 'removed', updated_at: kernel.clock.iso() })
    if (!found.renamed.some(({ from }) => from.id === row.id))
      happened.push({ row, change: 'removed', newPin: null, poison: row.poison_score })
  }
  await tell(tx, server, happened)
  return {
    changed: found.changed.map(({ known: { name } }) => name),
    renamed: found.renamed.map(({ from, to }) => ({ from: from.name, to: to.name })),
    added: found.added.length,
    removed: found.removed.length,
  }
}

/** A decision against a tool stands whatever its definition becomes. */
const keptOr = (status: ToolRow['status'], next: ToolRow['status']): ToolRow['status'] =>
  status === 'denied' ? 'denied' : next

interface Adding {
  readonly server: Pick<ServerRow, 'id'>
  readonly found: Comparison<ToolRow>
  readonly scans: ReadonlyMap<string, ScannedDefinition>
}

async function addTools(kernel: Making, tx: Tx, { server, found, scans }: Adding): Promise<Happening[]> {
  const added = found.added.map((tool) => {
    const from = found.renamed.find(({ to }) => to === tool)?.from ?? null
    const row: ToolRow = {
      ...newRow(kernel, tx),
      ...{ server_id: server.id, name: tool.name, definition: null, candidate: { ...tool.definition } },
      ...{ pin_sha256: null, candidate_sha256: tool.pin, status: 'pending' as const, position: tool.position },
      ...{ labels: from?.labels ?? [], suggested_labels: suggestedLabels(tool.definition) },
      ...{ findings: [], poison_score: 0, renamed_from: from?.id ?? null, decided_by: null, decided_at: null },
      ...findingsOf(scans.get(tool.name)),
    }
    return { row, from, tool }
  })
  await insertMany(
    tx,
    tools,
    added.map(({ row }) => row),
  )
  return added.map(({ row, from, tool }) => ({
    row: from === null ? row : { ...row, pin_sha256: from.pin_sha256 },
    change: from === null ? 'new' : 'renamed',
    newPin: tool.pin,
    poison: row.poison_score,
  }))
}

function findingsOf(scan: ScannedDefinition | undefined): Partial<Pick<ToolRow, 'findings' | 'poison_score'>> {
  return scan === undefined ? {} : { findings: [...scan.findings], poison_score: scan.score }
}

interface Happening {
  readonly row: Pick<ToolRow, 'id' | 'name' | 'pin_sha256'>
  readonly change: ToolChange
  readonly newPin: string | null
  readonly poison: number
}

function tell(tx: Tx, server: Pick<ServerRow, 'id' | 'slug'>, happened: readonly Happening[]): Promise<void> {
  if (happened.length === 0) return Promise.resolve()
  return tx.emitAll(
    toolChanged,
    happened.map(({ row, change, newPin, poison }) => ({
      subject: row.id,
      data: {
        ...{ server_id: server.id, server: server.slug, tool_id: row.id, tool: row.name, change },
        ...{ old_pin: row.pin_sha256, new_pin: newPin, poison_score: poison },
      },
    })),
  )
}
