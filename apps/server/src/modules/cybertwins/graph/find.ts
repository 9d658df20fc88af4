import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { SnapshotRow } from '../declared/relation-schema.ts'
import { snapshots } from '../declared/tables.ts'
import { errors } from '../errors/errors.ts'
import type { TwinServices } from '../services/twin-services.ts'
import { type Snapshot, stateOf, takeSnapshot } from './snapshots.ts'

/** The snapshot that a body names, or a new one of the current state. @throws TWIN-006, TWIN-009 */
export async function snapshotFor(
  services: Pick<TwinServices, 'kernel' | 'risk'>,
  scope: TenantScope,
  graphId: string | undefined,
): Promise<Snapshot> {
  if (graphId === undefined) return takeSnapshot(services, scope, { trigger: 'analysis' })
  const { kernel } = services
  const row = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => named(tx, graphId))
  return { row, state: await stateOf(kernel, scope, row) }
}

async function named(tx: Tx, id: string): Promise<SnapshotRow> {
  const row = await snapshots.get(tx, id)
  if (row !== null) return row
  throw errors.unknownReference({ what: 'graph' }).at([{ detail: 'There is no such graph.', pointer: '/graph_id' }])
}

/** The stored snapshot of a run that was asked for before. */
export async function snapshotOf(
  kernel: Pick<Kernel, 'db' | 'blobs'>,
  scope: TenantScope,
  graphId: string,
): Promise<Snapshot> {
  const row = await kernel.db.tenant({ ...scope, readOnly: true }, (tx) => snapshots.need(tx, graphId))
  return { row, state: await stateOf(kernel, scope, row) }
}
