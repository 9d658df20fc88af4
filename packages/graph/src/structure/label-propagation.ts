import type { Graph } from './graph.ts'

/** Result of {@link propagateLabels}. */
export interface PropagatedLabels {
  /** Labels of each node as bits, its own and inherited ones. */
  readonly labels: Uint32Array
  /**
   * Edge by which a node first inherited each bit: entry `32·node + bit`; -1 for own bits and bits it does not have.
   */
  readonly inheritedBy: Int32Array
}

/**
 * Carries labels (sets of up to 32 bits) along the edges to their least fixed point; cycles are fine.
 *
 * @param own labels of each node
 * @param carried bits that pass over an edge, given the labels of its source; must be monotone in them
 */
export function propagateLabels(
  graph: Graph,
  own: Uint32Array,
  carried: (edge: number, labels: number) => number,
): PropagatedLabels {
  if (own.length !== graph.nodes) throw new RangeError(`${graph.nodes} nodes, but ${own.length} labels`)
  const labels = own.slice()
  const inheritedBy = new Int32Array(32 * graph.nodes).fill(-1)
  const { offsets, edges, ends } = graph.outgoing
  const waiting = Uint8Array.from(own, (bits) => (bits === 0 ? 0 : 1))
  const queue: number[] = []
  for (const [node, isWaiting] of waiting.entries()) if (isWaiting === 1) queue.push(node)
  for (let at = 0; at < queue.length; at++) {
    const node = queue[at] ?? 0
    waiting[node] = 0
    for (let place = offsets[node] ?? 0; place < (offsets[node + 1] ?? 0); place++) {
      const [edge, end] = [edges[place] ?? 0, ends[place] ?? 0]
      const added = (carried(edge, labels[node] ?? 0) & ~(labels[end] ?? 0)) >>> 0
      if (added === 0) continue
      labels[end] = (labels[end] ?? 0) | added
      for (let bit = 0; bit < 32; bit++) if (((added >>> bit) & 1) === 1) inheritedBy[32 * end + bit] = edge
      if (waiting[end] === 0) queue.push(end)
      waiting[end] = 1
    }
  }
  return { labels, inheritedBy }
}
