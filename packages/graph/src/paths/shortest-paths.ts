import {
  adjacencyOf,
  type Direction,
  type Graph,
  type Kept,
  keepsEdge,
  keepsNode,
  requireNodes,
} from '../structure/graph.ts'
import { createBucketQueue } from './bucket-queue.ts'
import type { Weights } from './weights.ts'

export interface ShortestPathsOptions {
  /** `forward`: distances from the starts. `backward`: distances to the starts, against the edges. */
  readonly direction?: Direction
  readonly kept?: Kept
}

export interface ShortestPaths {
  /** Distance of each node; infinity where there is no path. */
  readonly distances: Float64Array
  /** Last edge of the path to each node (backward: its first edge); -1 for starts and unreachable nodes. */
  readonly edges: Int32Array
}

/** Shortest paths between the starts and all nodes (Dijkstra 1959). Among equal paths the first one found stays. */
export function shortestPaths(
  graph: Graph,
  weights: Weights,
  starts: readonly number[],
  { direction = 'forward', kept = {} }: ShortestPathsOptions = {},
): ShortestPaths {
  requireNodes(graph, starts)
  const { offsets, edges, ends } = adjacencyOf(graph, direction)
  const lengths = direction === 'forward' ? weights.outgoing : weights.incoming
  const distances = new Float64Array(graph.nodes).fill(Number.POSITIVE_INFINITY)
  const last = new Int32Array(graph.nodes).fill(-1)
  const queue = createBucketQueue(distances, weights.longest)
  const isWhole = kept.nodes === undefined && kept.edges === undefined
  for (const start of starts) {
    if (!keepsNode(kept, start)) continue
    distances[start] = 0
    queue.set(start)
  }
  for (let node = queue.pop(); node >= 0; node = queue.pop()) {
    const distance = distances[node] ?? 0
    const stop = offsets[node + 1] ?? 0
    for (let place = offsets[node] ?? 0; place < stop; place++) {
      const end = ends[place] ?? 0
      const found = distance + (lengths[place] ?? 0)
      if (!(found < (distances[end] ?? 0))) continue
      if (!isWhole && !(keepsNode(kept, end) && keepsEdge(kept, edges[place] ?? 0))) continue
      distances[end] = found
      last[end] = edges[place] ?? 0
      queue.set(end)
    }
  }
  return { distances, edges: last }
}

/** Edges of the shortest path to a node (forward) or from it (backward), in walking order; null without a path. */
export function pathTo(
  graph: Graph,
  { distances, edges }: ShortestPaths,
  node: number,
  direction: Direction = 'forward',
): readonly number[] | null {
  if ((distances[node] ?? Number.POSITIVE_INFINITY) === Number.POSITIVE_INFINITY) return null
  const path: number[] = []
  let at = node
  for (let edge = edges[at] ?? -1; edge >= 0; edge = edges[at] ?? -1) {
    path.push(edge)
    at = (direction === 'forward' ? graph.sources[edge] : graph.targets[edge]) ?? at
  }
  return direction === 'forward' ? path.reverse() : path
}
