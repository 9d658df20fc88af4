import fc from 'fast-check'
import { expect, test } from 'vitest'
import { graphs, leads } from '../../test/random-graph.ts'
import { transitiveClosure } from './closure.ts'
import { stronglyConnectedComponents } from './components.ts'
import { createGraph } from './graph.ts'
import { propagateLabels } from './label-propagation.ts'
import { createNodeIndex } from './node-index.ts'
import { topologicalOrder } from './topological-order.ts'
import { walk, walkedPath } from './walk.ts'

const small = graphs({ nodes: 8, edges: 16 })

test('both adjacencies hold every edge once, in the order of the list', () => {
  fc.assert(
    fc.property(small, (graph) => {
      for (const [adjacency, near, far] of [
        [graph.outgoing, graph.sources, graph.targets],
        [graph.incoming, graph.targets, graph.sources],
      ] as const) {
        expect([...adjacency.edges].sort((a, b) => a - b)).toEqual(Array.from({ length: graph.edges }, (_, i) => i))
        for (let node = 0; node < graph.nodes; node++) {
          const places = [adjacency.offsets[node] ?? 0, adjacency.offsets[node + 1] ?? 0] as const
          const edges = [...adjacency.edges.subarray(...places)]
          expect(edges).toEqual([...edges].sort((a, b) => a - b))
          for (const edge of edges) expect(near[edge]).toBe(node)
          expect([...adjacency.ends.subarray(...places)]).toEqual(edges.map((edge) => far[edge]))
        }
      }
    }),
  )
})

test.each([
  [2, [0], [2]],
  [2, [0.5], [1]],
  [2, [-1], [1]],
  [2, [Number.NaN], [1]],
  [2, [0, 1], [1]],
  [-1, [], []],
  [2_000_000, [], []],
])('%d nodes with edges %j to %j are refused', (nodes, sources, targets) => {
  expect(() => createGraph(nodes, sources, targets)).toThrow(RangeError)
})

test('closure and walk agree with plain search', () => {
  fc.assert(
    fc.property(small, (graph) => {
      const closure = transitiveClosure(graph)
      for (let from = 0; from < graph.nodes; from++) {
        const reached = new Set(walk(graph, [from]).nodes)
        let count = 0
        for (let to = 0; to < graph.nodes; to++) {
          expect(reached.has(to)).toBe(leads(graph, from, to))
          const byEdge = [...graph.sources].some(
            (source, edge) => source === from && leads(graph, graph.targets[edge] ?? 0, to),
          )
          expect(closure.reaches(from, to)).toBe(byEdge)
          if (byEdge) count++
        }
        expect(closure.reachCount(from)).toBe(count)
      }
    }),
  )
})

test('a walk backward is a walk forward in the mirrored graph', () => {
  fc.assert(
    fc.property(small, (graph) => {
      const mirrored = createGraph(graph.nodes, graph.targets, graph.sources)
      expect(walk(graph, [0], { direction: 'backward' })).toEqual(walk(mirrored, [0]))
    }),
  )
})

const lineage = createGraph(6, [0, 1, 1, 2, 3, 4], [1, 2, 3, 4, 4, 5])

test('depth limits, node limits with exact counts, stops and paths of a walk', () => {
  expect(walk(lineage, [0]).countsByDepth).toEqual([1, 1, 2, 1, 1])
  expect(walk(lineage, [0], { maximumDepth: 2 }).nodes).toEqual([0, 1, 2, 3])
  const cut = walk(lineage, [0], { maximumNodes: 3 })
  expect([cut.nodes, cut.truncated, cut.countsByDepth]).toEqual([[0, 1, 2], true, [1, 1, 2, 1, 1]])
  expect(walk(lineage, [0], { stopAt: (node) => node === 4 }).nodes).toEqual([0, 1, 2, 3, 4])
  expect(walk(lineage, [0], { kept: { nodes: Uint8Array.of(1, 1, 0, 1, 1, 1) } }).nodes).toEqual([0, 1, 3, 4, 5])
  expect(walkedPath(lineage, walk(lineage, [0]), 5)).toEqual([0, 1, 3, 5])
  expect(walkedPath(lineage, walk(lineage, [5], { direction: 'backward' }), 0, 'backward')).toEqual([5, 3, 1, 0])
  expect(walkedPath(lineage, walk(lineage, [2]), 0)).toBe(null)
  expect(() => walk(lineage, [6])).toThrow(RangeError)
})

test('components are the classes of mutual reach, and edges between them lead to smaller numbers', () => {
  fc.assert(
    fc.property(small, (graph) => {
      const { of, count } = stronglyConnectedComponents(graph)
      expect(new Set(of).size).toBe(count)
      for (let a = 0; a < graph.nodes; a++) {
        for (let b = 0; b < graph.nodes; b++) {
          expect(of[a] === of[b]).toBe(leads(graph, a, b) && leads(graph, b, a))
        }
      }
      for (let edge = 0; edge < graph.edges; edge++) {
        expect(of[graph.targets[edge] ?? 0]).toBeLessThanOrEqual(of[graph.sources[edge] ?? 0] ?? 0)
      }
    }),
  )
})

test('an order puts every edge forward, or names a cycle of edges that exist', () => {
  fc.assert(
    fc.property(small, (graph) => {
      const result = topologicalOrder(graph)
      if (result.kind === 'order') {
        const places = new Map([...result.nodes].map((node, place) => [node, place]))
        expect(places.size).toBe(graph.nodes)
        for (let edge = 0; edge < graph.edges; edge++) {
          expect(places.get(graph.sources[edge] ?? 0)).toBeLessThan(places.get(graph.targets[edge] ?? 0) ?? 0)
        }
      } else {
        expect(new Set(result.nodes).size).toBe(result.nodes.length)
        for (const [index, node] of result.nodes.entries()) {
          const next = result.nodes[(index + 1) % result.nodes.length]
          expect([...graph.sources].some((source, edge) => source === node && graph.targets[edge] === next)).toBe(true)
        }
      }
    }),
  )
})

test('a chain of 200,000 nodes needs no recursion', () => {
  const ids = Int32Array.from({ length: 199_999 }, (_, i) => i)
  const chain = createGraph(
    200_000,
    ids,
    ids.map((id) => id + 1),
  )
  expect(stronglyConnectedComponents(chain).count).toBe(200_000)
  expect(walk(chain, [0]).countsByDepth).toHaveLength(200_000)
  expect(topologicalOrder(chain).kind).toBe('order')
})

test('labels reach what the walk reaches, bit by bit, through cycles', () => {
  fc.assert(
    fc.property(small, fc.array(fc.nat(7), { minLength: 8, maxLength: 8 }), fc.nat(7), (graph, own, passes) => {
      const labels = Uint32Array.from(own.slice(0, graph.nodes))
      const { labels: found, inheritedBy } = propagateLabels(graph, labels, (_, bits) => bits & passes)
      for (let to = 0; to < graph.nodes; to++) {
        let expected = labels[to] ?? 0
        for (let from = 0; from < graph.nodes; from++)
          if (leads(graph, from, to)) expected |= (labels[from] ?? 0) & passes
        expect(found[to]).toBe(expected)
        for (let bit = 0; bit < 3; bit++) {
          const isInherited = ((expected & ~(labels[to] ?? 0)) >> bit) & 1
          expect((inheritedBy[32 * to + bit] ?? -1) >= 0).toBe(isInherited === 1)
        }
      }
    }),
  )
})

test('names get numbers in the order of their first occurrence', () => {
  const index = createNodeIndex()
  expect(['b', '__proto__', 'b', 'a'].map(index.add)).toEqual([0, 1, 0, 2])
  expect([index.find('a'), index.find('toString'), index.nameOf(1), index.size()]).toEqual([2, null, '__proto__', 3])
  expect(() => index.nameOf(3)).toThrow(RangeError)
})
