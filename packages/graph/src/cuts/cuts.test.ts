import fc from 'fast-check'
import { expect, test } from 'vitest'
import { graphs, leads } from '../../test/random-graph.ts'
import { createGraph } from '../structure/graph.ts'
import { dominators } from './dominators.ts'
import { minimumEdgeCut, minimumVertexCut } from './minimum-cut.ts'

const small = graphs({ nodes: 7, edges: 14 })

test('a node dominates exactly where its removal cuts the way from all entries', () => {
  fc.assert(
    fc.property(small, fc.nat(6), (graph, second) => {
      const entries = [...new Set([0, second % graph.nodes])]
      const tree = dominators(graph, entries)
      for (let node = 0; node < graph.nodes; node++) {
        const isReached = entries.some((entry) => leads(graph, entry, node))
        expect(tree.isReachable(node)).toBe(isReached)
        const expected = []
        for (let other = 0; other < graph.nodes && isReached; other++) {
          const without = entries.some((entry) => entry !== other && leads(graph, entry, node, (_, at) => at !== other))
          if (other !== node && !without) expected.push(other)
        }
        expect([...tree.of(node)].sort((a, b) => a - b)).toEqual(expected)
      }
    }),
    { numRuns: 300 },
  )
})

test('every node of a single attack chain dominates its end', () => {
  // Client, website, directory, document store, cloud resource manager.
  const chain = createGraph(5, [0, 1, 2, 3], [1, 2, 3, 4])
  expect(dominators(chain, [0]).of(4)).toEqual([0, 1, 2, 3])
  expect(dominators(chain, [0]).immediate(0)).toBe(null)
})

/** Cheapest subset whose removal separates the ends, by trying all subsets. */
function cheapest(items: number, cost: (item: number) => number, separates: (removed: ReadonlySet<number>) => boolean) {
  let best = Number.POSITIVE_INFINITY
  for (let set = 0; set < 1 << items; set++) {
    const removed = Array.from({ length: items }, (_, item) => item).filter((item) => (set >> item) & 1)
    const total = removed.reduce((sum, item) => sum + cost(item), 0)
    if (total < best && separates(new Set(removed))) best = total
  }
  return best
}

const costs = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 14, maxLength: 14 })

test('the minimum edge cut separates, and no cheaper set of edges does', () => {
  fc.assert(
    fc.property(graphs({ nodes: 6, edges: 10 }), costs, (graph, prices) => {
      const [from, to] = [0, graph.nodes - 1]
      const cost = (edge: number) => prices[edge] ?? 1
      const cut = minimumEdgeCut({ graph, from: [from], to: [to], cost })
      if (from === to) {
        expect(cut).toBe(null)
        return
      }
      const separates = (removed: ReadonlySet<number>) => !leads(graph, from, to, (edge) => !removed.has(edge))
      expect(cut?.cost).toBe(cheapest(graph.edges, cost, separates))
      expect(separates(new Set(cut?.items))).toBe(true)
      expect(cut?.items.reduce((sum, edge) => sum + cost(edge), 0)).toBe(cut?.cost)
    }),
  )
})

test('the minimum vertex cut separates, and no cheaper set of nodes does', () => {
  fc.assert(
    fc.property(small, costs, (graph, prices) => {
      const [from, to] = [0, graph.nodes - 1]
      const cost = (node: number) => (node === from || node === to ? Number.POSITIVE_INFINITY : (prices[node] ?? 1))
      const cut = minimumVertexCut({ graph, from: [from], to: [to], cost })
      const separates = (removed: ReadonlySet<number>) => !leads(graph, from, to, (_, node) => !removed.has(node))
      const best = from === to ? Number.POSITIVE_INFINITY : cheapest(graph.nodes, cost, separates)
      expect(cut?.cost ?? Number.POSITIVE_INFINITY).toBe(best)
      if (cut !== null) expect(separates(new Set(cut.items))).toBe(true)
    }),
  )
})

test('several entries and targets, removed parts, and edges that must stay', () => {
  const graph = createGraph(5, [0, 1, 2, 2], [2, 2, 3, 4])
  const ends = { graph, from: [0, 1], to: [3, 4] }
  expect(minimumVertexCut({ ...ends, cost: () => 7 })).toEqual({ items: [2], cost: 7 })
  expect(minimumEdgeCut({ ...ends, cost: () => 1 })?.cost).toBe(2)
  expect(minimumEdgeCut({ ...ends, cost: () => 1, kept: { edges: Uint8Array.of(0, 1, 1, 1) } })?.items).toEqual([1])
  expect(minimumEdgeCut({ ...ends, cost: () => Number.POSITIVE_INFINITY })).toBe(null)
  expect(minimumVertexCut({ ...ends, from: [2], cost: () => 1 })).toBe(null)
})
