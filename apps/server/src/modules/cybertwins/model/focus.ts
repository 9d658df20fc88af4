/**
 * The part of a network that matters for some targets, as a network of its own, so that many variants of it can be
 * examined. Pure. Tested through the analyses.
 */
import { type AttackNetwork, createGraph, type Path, walk } from '@parapet/graph'
import type { TwinNetwork } from './network.ts'

export interface Focus {
  readonly network: AttackNetwork
  /** Number in the whole network of each node and edge of the focus. */
  readonly nodes: readonly number[]
  readonly edges: readonly number[]
  readonly nodeOf: ReadonlyMap<number, number>
  /** `whole`: all ways to the targets. `best_paths`: only the most probable ones, because there are too many. */
  readonly scope: 'whole' | 'best_paths'
}

/** Edges on ways to the targets up to which all of them are examined. */
const mostEdges = 3_000

/** @param paths the best paths to the targets, which stand for all where there are too many */
export function focusOn({ network }: TwinNetwork, targets: readonly number[], paths: readonly Path[]): Focus {
  const { graph, probabilities, entries } = network
  const kept = { edges: Uint8Array.from(probabilities, (p) => (p > 0 ? 1 : 0)) }
  const reached = new Set(walk(graph, entries, { kept }).nodes)
  const leading = new Set(
    walk(graph, targets, { kept, direction: 'backward' }).nodes.filter((node) => reached.has(node)),
  )
  const relevant: number[] = []
  for (let edge = 0; edge < graph.edges; edge += 1) {
    const [from, to] = [graph.sources[edge] ?? -1, graph.targets[edge] ?? -1]
    if ((probabilities[edge] ?? 0) > 0 && leading.has(from) && leading.has(to)) relevant.push(edge)
  }
  if (relevant.length <= mostEdges) return induced(network, relevant, 'whole')
  const used = [...new Set(paths.flatMap(({ edges }) => edges))].sort((a, b) => a - b)
  return induced(network, used.slice(0, mostEdges), 'best_paths')
}

function induced(whole: AttackNetwork, edges: readonly number[], scope: Focus['scope']): Focus {
  const { graph } = whole
  const nodes: number[] = []
  const nodeOf = new Map<number, number>()
  const numberOf = (node: number): number => {
    const known = nodeOf.get(node)
    if (known !== undefined) return known
    nodeOf.set(node, nodes.length)
    return nodes.push(node) - 1
  }
  const entries = whole.entries.map(numberOf)
  const from = edges.map((edge) => numberOf(graph.sources[edge] ?? 0))
  const to = edges.map((edge) => numberOf(graph.targets[edge] ?? 0))
  const { allOf } = whole
  return {
    network: {
      graph: createGraph(nodes.length, from, to),
      probabilities: Float64Array.from(edges, (edge) => whole.probabilities[edge] ?? 0),
      entries,
      ...(allOf === undefined ? {} : { allOf: Uint8Array.from(nodes, (node) => allOf[node] ?? 0) }),
    },
    ...{ nodes, edges, nodeOf, scope },
  }
}
