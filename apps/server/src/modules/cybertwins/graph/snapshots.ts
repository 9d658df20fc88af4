/**
 * Snapshots: states of the graph that never change. A state that equals the newest one is not stored again unless
 * somebody asks for it by hand. Tested in attack-paths.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { SnapshotRow } from '../declared/relation-schema.ts'
import { snapshots } from '../declared/tables.ts'
import type { TwinState } from '../model/state.ts'
import type { TwinServices } from '../services/twin-services.ts'
import { currentState, digestOf } from './load-state.ts'

export interface SnapshotRequest {
  readonly trigger: SnapshotRow['trigger']
  readonly label?: string
  readonly importId?: string | null
}

export interface Snapshot {
  readonly row: SnapshotRow
  readonly state: TwinState
}

/** Opens its own transactions. @throws TWIN-009 */
export async function takeSnapshot(
  services: Pick<TwinServices, 'kernel' | 'risk'>,
  scope: TenantScope,
  { trigger, label, importId = null }: SnapshotRequest,
): Promise<Snapshot> {
  const { kernel } = services
  const { state, newest } = await kernel.db.tenant({ ...scope, snapshot: true }, async (tx) => ({
    state: await currentState(services, tx),
    newest: await newestSnapshot(tx),
  }))
  const digest = digestOf(state)
  const isSame = newest?.sha256 === digest
  if (isSame && newest !== null && trigger !== 'manual') return { row: newest, state }
  const blobId = isSame && newest !== null ? newest.blob_id : await keepState(kernel, scope.tenantId, state)
  const row: SnapshotRow = {
    ...{ id: kernel.random.uuid(), tenant_id: scope.tenantId, created_at: kernel.clock.iso() },
    ...{ label: label ?? null, trigger, nodes: state.nodes.length, edges: state.edges.length, sha256: digest },
    ...{ parent_id: newest?.id ?? null, import_id: importId, blob_id: blobId },
  }
  await kernel.db.tenant(scope, async (tx) => {
    await snapshots.insert(tx, row)
    await tx.audit('cybertwins.graph.create', {
      target: `cybertwins_graph:${row.id}`,
      after: { trigger, label: row.label, nodes: row.nodes, edges: row.edges, sha256: digest },
    })
  })
  return { row, state }
}

async function keepState(kernel: Pick<Kernel, 'blobs'>, tenantId: TenantId, state: TwinState): Promise<string> {
  const { id } = await kernel.blobs.put(
    tenantId,
    (async function* chunks() {
      yield Buffer.from(JSON.stringify(state))
    })(),
  )
  return id
}

function newestSnapshot(tx: Tx): Promise<SnapshotRow | null> {
  return tx.first(
    sql<SnapshotRow>`select ${snapshots.columns} from cybertwins_snapshot order by created_at desc, id desc limit 1`,
  )
}

/** The state of a stored snapshot. */
export async function stateOf(
  { db, blobs }: Pick<Kernel, 'db' | 'blobs'>,
  scope: TenantScope,
  { blob_id: id }: SnapshotRow,
): Promise<TwinState> {
  const opened = await db.tenant({ ...scope, readOnly: true }, (tx) => blobs.open(tx, id))
  const chunks: Uint8Array[] = []
  for await (const chunk of opened.read()) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString()) as TwinState
}
