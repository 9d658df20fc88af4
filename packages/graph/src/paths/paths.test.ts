import fc from 'fast-check'
import { expect, test } from 'vitest'
import { graphs } from '../../test/random-graph.ts'
import { createGraph, type Graph } from '../structure/graph.ts'
import { diversePaths, kShortestPaths, shortestSimplePaths } from './k-shortest-paths.ts'
import { nodesOf } from './path.ts'
import { pathTo, shortestPaths } from './shortest-paths.ts'
import { createWeights, probabilityWeights } from './weights.ts'

const weighted = graphs({ nodes: 7, edges: 14 }).chain((graph) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: graph.edges, maxLength: graph.edges })
    .map((lengths) => ({ graph, lengths: Float64Array.from(lengths) })),
)

/** Lengths of all paths without repeated nodes, shortest first, by plain search. */
function allPaths(graph: Graph, lengths: Float64Array, from: number, to: number): readonly number[] {
  const found: number[] = []
  const visit = (node: number, passed: ReadonlySet<number>, length: number): void => {
    if (node === to) found.push(length)
    else {
      for (let edge = 0; edge < graph.edges; edge++) {
        const target = graph.targets[edge] ?? 0
        if (graph.sources[edge] !== node || passed.has(target)) continue
        visit(target, new Set([...passed, target]), length + (lengths[edge] ?? 0))
      }
    }
  }
  visit(from, new Set([from]), 0)
  return found.sort((a, b) => a - b)
}

test('distances are those of all paths tried out, forward and backward', () => {
  fc.assert(
    fc.property(weighted, ({ graph, lengths }) => {
      const weights = createWeights(graph, lengths)
      const to = graph.nodes - 1
      const forward = shortestPaths(graph, weights, [0])
      const backward = shortestPaths(graph, weights, [to], { direction: 'backward' })
      const shortest = allPaths(graph, lengths, 0, to)[0] ?? Number.POSITIVE_INFINITY
      expect(forward.distances[to]).toBe(shortest)
      expect(backward.distances[0]).toBe(shortest)
      for (const path of [pathTo(graph, forward, to), pathTo(graph, backward, 0, 'backward')]) {
        expect(path?.reduce((sum, edge) => sum + (lengths[edge] ?? 0), 0) ?? Number.POSITIVE_INFINITY).toBe(shortest)
      }
    }),
  )
})

test('the k shortest paths are all paths without repeated nodes, in order, each once', () => {
  fc.assert(
    fc.property(weighted, ({ graph, lengths }) => {
      const [from, to] = [0, graph.nodes - 1]
      if (from === to) return
      const paths = [...shortestSimplePaths(graph, createWeights(graph, lengths), from, to)]
      expect(paths.map(({ length }) => length)).toEqual(allPaths(graph, lengths, from, to))
      expect(new Set(paths.map(({ edges }) => edges.join())).size).toBe(paths.length)
      for (const path of paths) {
        const nodes = nodesOf(graph, from, path)
        expect(new Set(nodes).size).toBe(nodes.length)
        expect(nodes.at(-1)).toBe(to)
        for (const [index, edge] of path.edges.entries()) expect(graph.sources[edge]).toBe(nodes[index])
      }
    }),
  )
})

test('removed nodes and edges are not used', () => {
  const graph = createGraph(3, [0, 0, 1], [2, 1, 2])
  const weights = createWeights(graph, Float64Array.of(5, 1, 1))
  const distance = (kept: object) => shortestPaths(graph, weights, [0], { kept }).distances[2]
  expect(distance({})).toBe(2)
  expect(distance({ edges: Uint8Array.of(1, 0, 1) })).toBe(5)
  expect(distance({ nodes: Uint8Array.of(1, 0, 1), edges: Uint8Array.of(0, 1, 1) })).toBe(Number.POSITIVE_INFINITY)
  expect(distance({ nodes: Uint8Array.of(0, 1, 1) })).toBe(Number.POSITIVE_INFINITY)
})

test('diverse paths share no more than the allowed part of their edges', () => {
  // Two disjoint detours, and a variant of the first one.
  const graph = createGraph(5, [0, 1, 1, 2, 0, 3], [1, 4, 2, 4, 3, 4])
  const weights = createWeights(graph, Float64Array.of(1, 1, 1, 0.5, 2, 2))
  const chosen = diversePaths(shortestSimplePaths(graph, weights, 0, 4), { k: 2, maximumOverlap: 0 })
  expect(chosen.map(({ edges }) => edges)).toEqual([
    [0, 1],
    [4, 5],
  ])
})

test('the most probable path multiplies probabilities; impossible edges are never used', () => {
  const graph = createGraph(3, [0, 0, 1], [2, 1, 2])
  const weights = probabilityWeights(graph, Float64Array.of(0.2, 0.5, 1))
  expect(kShortestPaths(graph, weights, 0, 2, 5).map(({ length }) => Number(Math.exp(-length).toFixed(12)))).toEqual([
    0.5, 0.2,
  ])
  const blocked = probabilityWeights(graph, Float64Array.of(0, 0.5, 0))
  expect(kShortestPaths(graph, blocked, 0, 2, 5)).toEqual([])
})

test('negative lengths, wrong counts and a k outside 1..1,000 are refused', () => {
  const graph = createGraph(2, [0], [1])
  expect(() => createWeights(graph, Float64Array.of(-1))).toThrow(RangeError)
  expect(() => createWeights(graph, Float64Array.of(Number.NaN))).toThrow(RangeError)
  expect(() => createWeights(graph, Float64Array.of(1, 2))).toThrow(RangeError)
  expect(() => probabilityWeights(graph, Float64Array.of(1.5))).toThrow(RangeError)
  const weights = createWeights(graph, Float64Array.of(1))
  for (const k of [0, 1.5, 1_001]) expect(() => kShortestPaths(graph, weights, 0, 1, k)).toThrow(RangeError)
  expect(() => kShortestPaths(graph, weights, 0, 2, 1)).toThrow(RangeError)
})
