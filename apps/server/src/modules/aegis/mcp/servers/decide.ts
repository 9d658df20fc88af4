/** Decisions of people about a tool: approve its candidate, deny it, label it. Tested in servers.test.ts. */
import type { Actor } from '../../../../kernel/access/actor.ts'
import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import { anyVersion, type Precondition } from '../../../../kernel/http/answer/etag.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { Versioned } from '../../../../kernel/module/route.ts'
import { type Changes, change, hold, write } from '../../../../kernel/resource/resource.ts'
import { errors } from '../../errors/errors.ts'
import { requestRefresh } from '../../posture/refresh.ts'
import { serverResource, servers, toolResource } from '../declared/tables.ts'
import type { McpTool, PatchTool, ToolRow } from '../declared/tool-schema.ts'
import { toolView } from './view.ts'

export interface ToolDecision {
  readonly serverId: string
  readonly toolId: string
  readonly actor: Actor
  readonly input: PatchTool
  readonly precondition: Precondition
}

/** @throws API-001, API-012, API-013, AEGIS-002, AEGIS-016 */
export async function decideTool(
  kernel: Kernel,
  tx: Tx,
  { serverId, toolId, actor, input, precondition }: ToolDecision,
): Promise<Versioned<McpTool>> {
  await servers.need(tx, serverId)
  const held = await hold(tx, toolResource, { id: sql`id = ${toolId} and server_id = ${serverId}`, precondition })
  const { labels, suggested_labels: suggested } = input
  const changes: Changes<ToolRow> = {
    ...(labels === undefined ? {} : { labels }),
    ...(suggested === undefined ? {} : { suggested_labels: keptOf(held.row, suggested) }),
    ...decided(held.row, input, { by: actor.userId, at: kernel.clock.iso() }),
  }
  const row = await change(kernel, tx, held, { action: 'aegis.mcp_tool.update', changes })
  if (input.decision === 'approve') await activate(kernel, tx, serverId)
  if (input.decision !== undefined) await requestRefresh(kernel, tx)
  return toolView(tx, row, kernel.clock.now())
}

/** Suggestions are the scan's: a person takes them away or takes them over. @throws API-001 */
function keptOf(row: ToolRow, suggested: ToolRow['suggested_labels']): ToolRow['suggested_labels'] {
  const strange = suggested.find((label) => !row.suggested_labels.includes(label))
  if (strange !== undefined) throw invalid('/suggested_labels', `${strange} was not suggested. Set it in labels.`)
  return suggested
}

function decided(
  row: ToolRow,
  { decision, pin_sha256: pin }: PatchTool,
  { by, at }: { readonly by: string; readonly at: string },
): Changes<ToolRow> {
  if (decision === undefined) {
    if (pin !== undefined) throw invalid('/pin_sha256', 'pin_sha256 belongs to the decision approve.')
    return {}
  }
  const marks = { decided_by: by, decided_at: at }
  if (decision === 'deny') {
    if (row.status === 'denied') throw errors.illegalMove({ what: 'tool', status: 'denied' })
    return { status: 'denied', ...marks }
  }
  if (pin === undefined) throw invalid('/pin_sha256', 'To approve, send the candidate_sha256 that was looked at.')
  if (row.status === 'removed') throw errors.illegalMove({ what: 'tool', status: 'removed', to: 'approved' })
  const seen = row.candidate_sha256 ?? row.pin_sha256
  if (pin !== seen) throw errors.pinMoved()
  if (row.status === 'approved') throw errors.illegalMove({ what: 'tool', status: 'approved' })
  const definition = row.candidate ?? row.definition
  return { status: 'approved', definition, pin_sha256: seen, candidate: null, candidate_sha256: null, ...marks }
}

/** The first approved tool activates its server. */
async function activate(kernel: Pick<Kernel, 'clock'>, tx: Tx, serverId: string): Promise<void> {
  const held = await hold(tx, serverResource, { id: serverId, precondition: anyVersion })
  if (held.row.status === 'pending') await write(kernel, tx, held, { status: 'active', status_reason: null })
}

function invalid(pointer: string, detail: string) {
  return apiErrors.validation({ what: 'The decision is not valid.' }).at([{ detail, pointer }])
}
