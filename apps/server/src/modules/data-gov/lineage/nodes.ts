/** Nodes of lineage by their names; those that are new are made. */
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { insertRows } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { NodeKind, NodeRow } from '../declared/lineage-schema.ts'
import { nodes } from '../declared/lineage-tables.ts'
import { type Place, placeKey } from '../engine/read-event.ts'

interface Parts extends Pick<Kernel, 'clock' | 'random'> {
  readonly known?: NodeIds
}

export interface NamedPlace {
  readonly kind: NodeKind
  readonly place: Place
}

export const placed = (place: Place): NamedPlace => ({ kind: place.field === null ? 'dataset' : 'column', place })

/** Digest that names a node; the parts of its name may be long. */
export const keyOf = (kind: NodeKind, place: Place): string => canonicalHash([kind, placeKey(place)])

export type NodeIds = Map<string, string>

/**
 * Ids of nodes by their keys; those that are new are made.
 * @param parts `known` are ids of the same transaction, which need no question any more; new ones are added
 */
export async function nodeIds(parts: Parts, tx: Tx, places: readonly NamedPlace[]): Promise<NodeIds> {
  const wanted = new Map(places.map(({ kind, place }) => [keyOf(kind, place), { kind, place }]))
  const { known = new Map<string, string>() } = parts
  const unknown = new Map([...wanted].filter(([key]) => !known.has(key)))
  for (const [key, id] of await storedIds(parts, tx, unknown)) known.set(key, id)
  return new Map(
    [...wanted.keys()].flatMap((key) => {
      const id = known.get(key)
      return id === undefined ? [] : [[key, id] as const]
    }),
  )
}

async function storedIds(
  { clock, random }: Parts,
  tx: Tx,
  wanted: ReadonlyMap<string, NamedPlace>,
): Promise<ReadonlyMap<string, string>> {
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
