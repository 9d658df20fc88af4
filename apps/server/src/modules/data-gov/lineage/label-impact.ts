/** How many nodes have other labels when those of one asset are others. */
import type { AssetRow } from '../declared/asset-schema.ts'
import { createSnapshot, type OwnLabels, type Snapshot } from '../engine/snapshot.ts'

/** @param snapshot as it was before the change */
export function downstreamChanged(
  snapshot: Snapshot,
  { key, level, categories }: Pick<AssetRow, 'key' | 'level' | 'categories'>,
): number {
  const at = snapshot.byKey.get(key)
  if (at === undefined) return 0
  const own: readonly OwnLabels[] = [...snapshot.own.filter((one) => one.key !== key), { key, level, categories }]
  const before = snapshot.labels().bits
  const after = createSnapshot({ nodes: snapshot.nodes, edges: snapshot.edges, own }).labels().bits
  return before.reduce((count, bits, node) => (node !== at && bits !== after[node] ? count + 1 : count), 0)
}
