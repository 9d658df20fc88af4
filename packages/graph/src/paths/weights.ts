import { log } from '@parapet/quant'
import { adjacencyOf, type Direction, type Graph, requireEdgeValues } from '../structure/graph.ts'

/** Non-negative lengths of the edges, laid out for both directions. Infinity: the edge cannot be used. */
export interface Weights {
  readonly byEdge: Float64Array
  readonly outgoing: Float64Array
  readonly incoming: Float64Array
  /** Longest edge that can be used; 0 without one. */
  readonly longest: number
}

/** Lays out edge lengths in the order of the adjacency, so that searches read them in sequence. */
export function createWeights(graph: Graph, byEdge: Float64Array): Weights {
  requireEdgeValues(graph, byEdge, (length) => length >= 0)
  const [outgoing, incoming] = [arranged(graph, byEdge, 'forward'), arranged(graph, byEdge, 'backward')]
  return { byEdge, outgoing, incoming, longest: longestOf(byEdge) }
}

/** Lengths −ln p: the shortest path is the most probable one. Probability 0 gives an edge that cannot be used. */
export function probabilityWeights(graph: Graph, probabilities: Float64Array): Weights {
  requireEdgeValues(graph, probabilities, (p) => p >= 0 && p <= 1)
  const lengths = new Float64Array(graph.edges)
  // 0 − 0 is 0: a certain edge has no negative zero.
  for (let edge = 0; edge < graph.edges; edge++) lengths[edge] = 0 - log(probabilities[edge] ?? 0)
  return createWeights(graph, lengths)
}

function arranged(graph: Graph, byEdge: Float64Array, direction: Direction): Float64Array {
  const { edges } = adjacencyOf(graph, direction)
  const lengths = new Float64Array(edges.length)
  for (let place = 0; place < edges.length; place++) lengths[place] = byEdge[edges[place] ?? 0] ?? 0
  return lengths
}

function longestOf(lengths: Float64Array): number {
  let longest = 0
  for (let edge = 0; edge < lengths.length; edge++) {
    const length = lengths[edge] ?? 0
    if (length > longest && length < Number.POSITIVE_INFINITY) longest = length
  }
  return longest
}
