import type { Graph } from './graph.ts'

export type TopologicalOrder =
  | { readonly kind: 'order'; readonly nodes: Int32Array }
  /** Nodes of a cycle in order; an edge leads from the last to the first. */
  | { readonly kind: 'cycle'; readonly nodes: readonly number[] }

/** Order in which every edge leads to a later node (Kahn 1962), or a cycle that prevents it. */
export function topologicalOrder(graph: Graph): TopologicalOrder {
  const missing = new Int32Array(graph.nodes)
  for (const target of graph.targets) missing[target] = (missing[target] ?? 0) + 1
  const order = new Int32Array(graph.nodes)
  let placed = 0
  for (let node = 0; node < graph.nodes; node++) if (missing[node] === 0) order[placed++] = node
  const { offsets, ends } = graph.outgoing
  for (let at = 0; at < placed; at++) {
    const node = order[at] ?? 0
    for (let place = offsets[node] ?? 0; place < (offsets[node + 1] ?? 0); place++) {
      const end = ends[place] ?? 0
      missing[end] = (missing[end] ?? 0) - 1
      if (missing[end] === 0) order[placed++] = end
    }
  }
  if (placed === graph.nodes) return { kind: 'order', nodes: order }
  return { kind: 'cycle', nodes: findCycle(graph, missing) }
}

/** Every node that is left has a predecessor that is left: walking backward must meet a node twice. */
function findCycle(graph: Graph, missing: Int32Array): readonly number[] {
  const { offsets, ends } = graph.incoming
  const met = new Map<number, number>()
  const walked: number[] = []
  let node = missing.findIndex((count) => count > 0)
  while (!met.has(node)) {
    met.set(node, walked.push(node) - 1)
    const predecessors = ends.subarray(offsets[node] ?? 0, offsets[node + 1] ?? 0)
    node = predecessors.find((each) => (missing[each] ?? 0) > 0) ?? node
  }
  return walked.slice(met.get(node) ?? 0).reverse()
}
