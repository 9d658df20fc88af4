import { type Graph, type Kept, keepsEdge, keepsNode, requireNodes } from '../structure/graph.ts'
import { walk } from '../structure/walk.ts'
import { createFlowNetwork } from './flow-network.ts'

export interface CutInput {
  readonly graph: Graph
  readonly from: readonly number[]
  readonly to: readonly number[]
  /** Cost of removing an edge (edge cut) or a node (vertex cut); infinity for those that must stay. */
  readonly cost: (item: number) => number
  readonly kept?: Kept
}

export interface Cut {
  /** Edges or nodes to remove, in ascending order. */
  readonly items: readonly number[]
  /** Equals the maximum flow. */
  readonly cost: number
}

/** Cheapest set of edges whose removal separates all `from` from all `to`; null where there is none of finite cost. */
export function minimumEdgeCut(input: CutInput): Cut | null {
  const { graph, from, to, cost } = input
  requireNodes(graph, [...from, ...to])
  const relevant = relevantNodes(input)
  const network = createFlowNetwork(graph.nodes + 2)
  for (let edge = 0; edge < graph.edges; edge++) {
    const [source, target] = [graph.sources[edge] ?? 0, graph.targets[edge] ?? 0]
    if (relevant[source] === 1 && relevant[target] === 1 && keepsEdge(input.kept ?? {}, edge)) {
      network.add(source, target, cost(edge))
    }
  }
  for (const node of new Set(from)) network.add(graph.nodes, node, Number.POSITIVE_INFINITY)
  for (const node of new Set(to)) network.add(node, graph.nodes + 1, Number.POSITIVE_INFINITY)
  const flow = network.maximize(graph.nodes, graph.nodes + 1)
  if (flow === Number.POSITIVE_INFINITY) return null
  const side = network.sourceSide()
  const items: number[] = []
  for (let edge = 0; edge < graph.edges; edge++) {
    const [source, target] = [graph.sources[edge] ?? 0, graph.targets[edge] ?? 0]
    const crosses = side[source] === 1 && side[target] === 0 && relevant[target] === 1
    if (crosses && keepsEdge(input.kept ?? {}, edge)) items.push(edge)
  }
  return { items, cost: flow }
}

/**
 * Cheapest set of nodes whose removal separates all `from` from all `to`, which stay themselves; null where there is none
 * of finite cost, for example with an edge straight from one to the other. Each node becomes an arc (Menger 1927).
 */
export function minimumVertexCut(input: CutInput): Cut | null {
  const { graph, from, to, cost } = input
  requireNodes(graph, [...from, ...to])
  const relevant = relevantNodes(input)
  const fixed = new Uint8Array(graph.nodes)
  for (const node of [...from, ...to]) fixed[node] = 1
  const network = createFlowNetwork(2 * graph.nodes + 2)
  for (let node = 0; node < graph.nodes; node++) {
    if (relevant[node] === 1)
      network.add(2 * node, 2 * node + 1, fixed[node] === 1 ? Number.POSITIVE_INFINITY : cost(node))
  }
  for (let edge = 0; edge < graph.edges; edge++) {
    const [source, target] = [graph.sources[edge] ?? 0, graph.targets[edge] ?? 0]
    if (relevant[source] === 1 && relevant[target] === 1 && keepsEdge(input.kept ?? {}, edge)) {
      network.add(2 * source + 1, 2 * target, Number.POSITIVE_INFINITY)
    }
  }
  const [source, sink] = [2 * graph.nodes, 2 * graph.nodes + 1]
  for (const node of new Set(from)) network.add(source, 2 * node, Number.POSITIVE_INFINITY)
  for (const node of new Set(to)) network.add(2 * node + 1, sink, Number.POSITIVE_INFINITY)
  const flow = network.maximize(source, sink)
  if (flow === Number.POSITIVE_INFINITY) return null
  const side = network.sourceSide()
  const items: number[] = []
  for (let node = 0; node < graph.nodes; node++) if (side[2 * node] === 1 && side[2 * node + 1] === 0) items.push(node)
  return { items, cost: flow }
}

/** Nodes on some walk from a start to a target: all others only slow the flow down. */
function relevantNodes({ graph, from, to, kept = {} }: CutInput): Uint8Array {
  const reached = new Uint8Array(graph.nodes)
  for (const node of walk(graph, from, { kept }).nodes) reached[node] = 1
  const relevant = new Uint8Array(graph.nodes)
  for (const node of walk(graph, to, { kept, direction: 'backward' }).nodes) {
    if (reached[node] === 1 && keepsNode(kept, node)) relevant[node] = 1
  }
  return relevant
}
