/** Nodes of lineage by their names; those that are new are made. */
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { insertRows } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { NodeKind, NodeRow } from '../declared/lineage-schema.ts'
import { nodes } from '../declared/lineage-tables.ts'
import { type Place, placeKey } from '../engine/read-event.ts'

type Parts = Pick<Kernel, 'clock' | 'random'>

export interface NamedPlace {
  readonly kind: NodeKind
  readonly place: Place
}

export const placed = (place: Place): NamedPlace => ({ kind: place.field === null ? 'dataset' : 'column', place })

/** Digest that names a node; the parts of its name may be long. */
export const keyOf = (kind: NodeKind, place: Place): string => canonicalHash([kind, placeKey(place)])

export type NodeIds = Map<string, string>

/** Ids of nodes by their keys; those that are new are made. */
export async function nodeIds({ clock, random }: Parts, tx: Tx, places: readonly NamedPlace[]): Promise<NodeIds> {
  const wanted = new Map(places.map(({ kind, place }) => [keyOf(kind, place), { kind, place }]))
  if (wanted.size === 0) return new Map()
  const keys = [...wanted.keys()]
  const found = async () =>
    new Map(
      (
        await tx.query(
          sql<{ key: string; id: string }>`select key, id from data_gov_node where key = any(${keys}::text[])`,
        )
      ).map(({ key, id }) => [key, id] as const),
    )
  const known = await found()
  const at = clock.iso()
  const rows = [...wanted].flatMap(([key, { kind, place }]): NodeRow[] =>
    known.has(key)
      ? []
      : [
          {
            ...{ id: random.uuid(), tenant_id: tx.tenantId, version: 1, created_at: at, updated_at: at, key, kind },
            ...{ namespace: place.namespace, name: place.name, field: place.field },
            ...{ dropped_at: null, run_id: null, run_at: null },
          },
        ],
  )
  if (rows.length === 0) return known
  await tx.execute(sql`${insertRows(nodes, rows)} on conflict (tenant_id, key) do nothing`)
  return found()
}
