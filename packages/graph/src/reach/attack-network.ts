import { type Graph, requireEdgeValues, requireNodes } from '../structure/graph.ts'

/**
 * Graph whose edges hold independently with a probability. A node is reached when an edge from a reached node holds; an
 * AND node when all of its edges hold and all their sources are reached. Entries are reached from the start. On cycles
 * the least fixed point counts: nodes cannot reach each other out of nothing.
 */
export interface AttackNetwork {
  readonly graph: Graph
  /** Probability of each edge, 0..1. */
  readonly probabilities: Float64Array
  readonly entries: readonly number[]
  /** 1 for AND nodes; absent without any. */
  readonly allOf?: Uint8Array
}

/** Throws a RangeError for an invalid network. */
export function requireAttackNetwork({ graph, probabilities, entries, allOf }: AttackNetwork): void {
  requireEdgeValues(graph, probabilities, (p) => p >= 0 && p <= 1)
  requireNodes(graph, entries)
  if (allOf !== undefined && allOf.length !== graph.nodes) {
    throw new RangeError(`${graph.nodes} nodes, but ${allOf.length} AND flags`)
  }
}

/** Nodes that are reached when exactly the edges in `holds` hold: the least fixed point. */
export function reachedNodes(network: AttackNetwork, holds: (edge: number) => boolean): Uint8Array {
  const { graph, entries, allOf } = network
  const { offsets, edges, ends } = graph.outgoing
  const reached = new Uint8Array(graph.nodes)
  const missing = missingEdges(network)
  const queue: number[] = []
  for (const entry of entries) {
    if (reached[entry] === 0) queue.push(entry)
    reached[entry] = 1
  }
  for (let at = 0; at < queue.length; at++) {
    const node = queue[at] ?? 0
    for (let place = offsets[node] ?? 0; place < (offsets[node + 1] ?? 0); place++) {
      const end = ends[place] ?? 0
      if (reached[end] === 1 || !holds(edges[place] ?? 0)) continue
      missing[end] = (missing[end] ?? 0) - 1
      if (allOf?.[end] === 1 && (missing[end] ?? 0) > 0) continue
      reached[end] = 1
      queue.push(end)
    }
  }
  return reached
}

/** Number of edges that lead to each node. */
function missingEdges({ graph }: AttackNetwork): Int32Array {
  const missing = new Int32Array(graph.nodes)
  const { offsets } = graph.incoming
  for (let node = 0; node < graph.nodes; node++) missing[node] = (offsets[node + 1] ?? 0) - (offsets[node] ?? 0)
  return missing
}
