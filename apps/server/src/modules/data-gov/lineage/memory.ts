/**
 * Snapshots of lineage in memory, by tenant. A change is told at its commit and the next question reads anew; what was read
 * while it changed is not kept. Questions at the same time share one reading. Bounded by tenants and edges. Tested in
 * lineage.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Database } from '../../../kernel/db/port.ts'
import { type SqlPart, sql } from '../../../kernel/db/sql.ts'
import type { ChangeSource } from '../../../kernel/live/changes.ts'
import { createSnapshot, type GraphEdge, type GraphNode, type OwnLabels, type Snapshot } from '../engine/snapshot.ts'
import type { LineageMemory } from '../services/data-gov-services.ts'

export const lineageTopic = 'data_gov.lineage'

/** Edges of all tenants together. */
const mostEdges = 5_000_000

interface Parts {
  readonly db: Pick<Database, 'read'>
  readonly live: Pick<ChangeSource, 'on'>
}

export function createLineageMemory({ db, live }: Parts): LineageMemory {
  const kept = new Map<string, Promise<Snapshot>>()
  const sizes = new Map<string, number>()
  const forget = (tenantId: string) => {
    kept.delete(tenantId)
    sizes.delete(tenantId)
  }
  const stop = live.on(lineageTopic, (_key, _data, tenantId) => forget(tenantId))
  return {
    stop,
    current: (tenantId) => {
      const known = kept.get(tenantId)
      if (known !== undefined) {
        // The least recently asked goes first.
        kept.delete(tenantId)
        kept.set(tenantId, known)
        return known
      }
      const reading = read(db, tenantId, sql`valid_to is null`)
      kept.set(tenantId, reading)
      reading.then(
        ({ edges }) => {
          if (kept.get(tenantId) === reading) sizes.set(tenantId, edges.length)
          bound(kept, sizes, forget)
        },
        () => kept.get(tenantId) === reading && forget(tenantId),
      )
      return reading
    },
    asOf: (tenantId, at) => read(db, tenantId, sql`valid_from <= ${at} and (valid_to is null or valid_to > ${at})`),
  }
}

function bound(
  kept: ReadonlyMap<string, unknown>,
  sizes: ReadonlyMap<string, number>,
  forget: (tenantId: string) => void,
): void {
  let sum = [...sizes.values()].reduce((all, one) => all + one, 0)
  for (const tenantId of kept.keys()) {
    if (sum <= mostEdges) return
    sum -= sizes.get(tenantId) ?? 0
    forget(tenantId)
  }
}

async function read(db: Parts['db'], tenantId: TenantId, valid: SqlPart): Promise<Snapshot> {
  // Edges first: a node is never removed, so that no edge is without its ends.
  const edges = await db.read(
    tenantId,
    sql<GraphEdge>`
      select from_id, to_id, level, type, subtype, masking, source, job_id from data_gov_edge where ${valid}`,
  )
  const nodes = await db.read(tenantId, sql<GraphNode>`select id, key, kind, namespace, name, field from data_gov_node`)
  const own = await db.read(
    tenantId,
    sql<OwnLabels>`select key, level, categories from data_gov_asset where level is not null`,
  )
  return createSnapshot({ nodes, edges, own })
}
