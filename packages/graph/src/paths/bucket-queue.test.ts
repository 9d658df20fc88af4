import { createIndexedHeap } from '@parapet/quant'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { graphs } from '../../test/random-graph.ts'
import { createGraph, type Graph } from '../structure/graph.ts'
import { shortestPaths } from './shortest-paths.ts'
import { createWeights } from './weights.ts'

/** The search with one heap of all nodes. */
function plainSearch({ nodes, outgoing }: Graph, lengths: Float64Array, starts: readonly number[]) {
  const distances = new Float64Array(nodes).fill(Number.POSITIVE_INFINITY)
  const edges = new Int32Array(nodes).fill(-1)
  const heap = createIndexedHeap(nodes)
  for (const start of starts) {
    distances[start] = 0
    heap.set(start, 0)
  }
  for (let node = heap.pop(); node >= 0; node = heap.pop()) {
    for (let place = outgoing.offsets[node] ?? 0; place < (outgoing.offsets[node + 1] ?? 0); place++) {
      const [edge, end] = [outgoing.edges[place] ?? 0, outgoing.ends[place] ?? 0]
      const found = (distances[node] ?? 0) + (lengths[edge] ?? 0)
      if (!(found < (distances[end] ?? 0))) continue
      distances[end] = found
      edges[end] = edge
      heap.set(end, found)
    }
  }
  return { distances, edges }
}

// Equal lengths, none at all, far apart ones, and edges that cannot be used.
const length = fc.oneof(
  fc.constantFrom(0, 1, 1, 2, 5e-324, 1e-300, 1e-9, 1e300, Number.POSITIVE_INFINITY),
  fc.double({ min: 0, max: 3, noNaN: true }),
)

test('distances and edges are those of a search with one heap, to the last bit', () => {
  const cases = graphs({ nodes: 40, edges: 160 }).chain((graph) =>
    fc.tuple(
      fc.constant(graph),
      fc.array(length, { minLength: graph.edges, maxLength: graph.edges }),
      fc.array(fc.nat(graph.nodes - 1), { minLength: 1, maxLength: 3 }),
    ),
  )
  fc.assert(
    fc.property(cases, ([graph, lengths, starts]) => {
      const weights = createWeights(graph, Float64Array.from(lengths))
      expect(shortestPaths(graph, weights, starts)).toEqual(plainSearch(graph, weights.byEdge, starts))
    }),
    { numRuns: 500 },
  )
})

test('a long chain goes round the ring of buckets many times', () => {
  const n = 20_000
  const sources = Array.from({ length: n - 1 }, (_, i) => i)
  const graph = createGraph(
    n,
    sources,
    sources.map((i) => i + 1),
  )
  const weights = createWeights(
    graph,
    Float64Array.from(sources, (i) => 1 + (i % 7) / 10),
  )
  expect(shortestPaths(graph, weights, [0])).toEqual(plainSearch(graph, weights.byEdge, [0]))
})
