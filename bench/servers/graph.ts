/** Attack graph of 100,000 nodes and 1,000,000 edges: ours, graphology and ngraph on the same edges, in processor time. */
import Graphology from 'graphology'
import { singleSource } from 'graphology-shortest-path/dijkstra.js'
import createNgraph from 'ngraph.graph'
import ngraphPath from 'ngraph.path'
import {
  createGraph,
  dominators,
  kShortestPaths,
  minimumVertexCut,
  probabilityWeights,
  shortestPaths,
  simulateReach,
} from '../../packages/graph/src/index.ts'
import { RandomStream, seedKey } from '../../packages/quant/src/index.ts'
import { answerUsage } from '../usage.mjs'

const [nodes, edges] = [100_000, 1_000_000]
const sources = new Int32Array(edges)
const targets = new Int32Array(edges)
const probabilities = new Float64Array(edges)
const stream = new RandomStream().seek(seedKey('7'), 0, 0)
for (let edge = 0; edge < edges; edge++) {
  const source = Math.floor(stream.uniform() * nodes)
  const kind = stream.uniform()
  // 60 % local edges, 30 % to hubs, 10 % anywhere.
  const local = (source + 1 + Math.floor(200 * stream.uniform())) % nodes
  const far = kind < 0.9 ? Math.floor(nodes * stream.uniform() ** 3) : Math.floor(nodes * stream.uniform())
  sources[edge] = source
  targets[edge] = kind < 0.6 ? local : far
  probabilities[edge] = 0.05 + 0.9 * stream.uniform()
}
const [from, to] = [1, nodes - 7]

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const milliseconds: Record<string, number[]> = {}

function measure<Result>(name: string, round: number, run: () => Result): Result {
  const began = process.cpuUsage()
  const result = run()
  const { user, system } = process.cpuUsage(began)
  const took = (user + system) / 1_000
  // The first round warms the compiler and is not counted.
  if (round >= 0) milliseconds[name] = [...(milliseconds[name] ?? []), took]
  return result
}

function ours(round: number): number {
  const graph = measure('ours: load', round, () => createGraph(nodes, sources, targets))
  const weights = measure('ours: weights', round, () => probabilityWeights(graph, probabilities))
  const paths = measure('ours: Dijkstra to all', round, () => shortestPaths(graph, weights, [from]))
  for (const k of [10, 100, 1_000])
    measure(`ours: ${k} paths`, round, () => kShortestPaths(graph, weights, from, to, k))
  measure('ours: dominators', round, () => dominators(graph, [from]))
  if (round === 0) {
    const entries = Array.from({ length: 50 }, (_, i) => 1_999 * i)
    measure('ours: vertex cut of 50 entries', round, () =>
      minimumVertexCut({ graph, from: entries, to: [to], cost: () => 1 }),
    )
    const network = { graph, probabilities, entries: [from] }
    measure('ours: reach in 1,024 worlds', round, () => simulateReach(network, { seed: '1', worlds: 1_024 }))
  }
  return paths.distances[to] ?? Number.NaN
}

function graphologyLength(round: number): number {
  const graph = measure('graphology: load', round, () => {
    const made = new Graphology({ type: 'directed', multi: true })
    for (let node = 0; node < nodes; node++) made.addNode(node)
    for (let edge = 0; edge < edges; edge++) {
      made.addEdge(sources[edge], targets[edge], { length: -Math.log(probabilities[edge] ?? 0) })
    }
    return made
  })
  const paths = measure('graphology: Dijkstra to all', round, () => singleSource(graph, from, 'length'))
  const found = paths[to] ?? []
  return found.slice(1).reduce((sum, node, index) => {
    const between = graph.edges(found[index], node).map((edge) => Number(graph.getEdgeAttribute(edge, 'length')))
    return sum + Math.min(...between)
  }, 0)
}

function ngraphLength(round: number): number {
  const graph = measure('ngraph: load', round, () => {
    const made = createNgraph<undefined, number>({ multigraph: true })
    for (let node = 0; node < nodes; node++) made.addNode(node)
    for (let edge = 0; edge < edges; edge++) {
      made.addLink(sources[edge] ?? 0, targets[edge] ?? 0, -Math.log(probabilities[edge] ?? 0))
    }
    return made
  })
  const finder = ngraphPath.aStar(graph, { oriented: true, distance: (_from, _to, link) => link.data })
  const found = measure('ngraph: Dijkstra to one', round, () => finder.find(from, to)).reverse()
  return found.slice(1).reduce((sum, node, index) => {
    const links = [...(graph.getLinks(found[index]?.id ?? 0) ?? [])]
    const between = links.filter(({ fromId, toId }) => fromId === found[index]?.id && toId === node.id)
    return sum + Math.min(...between.map(({ data }) => data))
  }, 0)
}

let distance = 0
for (let round = -1; round < rounds; round++) distance = ours(round)
for (const [name, length] of [
  ['graphology', graphologyLength(0)],
  ['ngraph', ngraphLength(0)],
] as const) {
  if (!(Math.abs(length - distance) < 1e-9)) throw new Error(`${name} says ${length}, ours ${distance}`)
}

answerUsage({ milliseconds, distance })
