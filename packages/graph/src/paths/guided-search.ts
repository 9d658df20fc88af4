import { createIndexedHeap } from '@parapet/quant'
import type { Graph } from '../structure/graph.ts'
import type { Weights } from './weights.ts'

/** Repeated A* searches to one target. Memory is set up once; a search costs what it visits. */
export interface GuidedSearch {
  /**
   * Shortest path from a node to the target that avoids blocked nodes everywhere and blocked edges at its first step;
   * null without one.
   */
  readonly find: (
    from: number,
    isBlockedNode: (node: number) => boolean,
    blockedEdges: ReadonlySet<number>,
  ) => number[] | null
}

/**
 * @param remaining exact distance from each node to the target in the whole graph: a lower bound once nodes are blocked,
 *   and consistent, so that no node is visited twice
 */
export function createGuidedSearch(
  graph: Graph,
  weights: Weights,
  target: number,
  remaining: Float64Array,
): GuidedSearch {
  const { offsets, edges, ends } = graph.outgoing
  const distances = new Float64Array(graph.nodes).fill(Number.POSITIVE_INFINITY)
  const last = new Int32Array(graph.nodes).fill(-1)
  const heap = createIndexedHeap(graph.nodes)
  let touched: number[] = []

  function reset(): void {
    for (const node of touched) {
      distances[node] = Number.POSITIVE_INFINITY
      last[node] = -1
    }
    touched = []
    heap.clear()
  }

  function relax(node: number, place: number): void {
    const end = ends[place] ?? 0
    const found = (distances[node] ?? 0) + (weights.outgoing[place] ?? 0)
    if (!(found < (distances[end] ?? 0))) return
    const bound = found + (remaining[end] ?? 0)
    if (bound === Number.POSITIVE_INFINITY) return
    if (distances[end] === Number.POSITIVE_INFINITY) touched.push(end)
    distances[end] = found
    last[end] = edges[place] ?? 0
    heap.set(end, bound)
  }

  function pathFrom(from: number): number[] {
    const path: number[] = []
    for (let at = target; at !== from; ) {
      const edge = last[at] ?? -1
      path.push(edge)
      at = graph.sources[edge] ?? from
    }
    return path.reverse()
  }

  return {
    find: (from, isBlockedNode, blockedEdges) => {
      reset()
      distances[from] = 0
      touched.push(from)
      heap.set(from, remaining[from] ?? 0)
      for (let node = heap.pop(); node >= 0; node = heap.pop()) {
        if (node === target) return pathFrom(from)
        for (let place = offsets[node] ?? 0; place < (offsets[node + 1] ?? 0); place++) {
          if (node === from && blockedEdges.has(edges[place] ?? 0)) continue
          if (!isBlockedNode(ends[place] ?? 0)) relax(node, place)
        }
      }
      return null
    },
  }
}
