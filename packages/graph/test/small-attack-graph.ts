import type { AttackNetwork } from '../src/reach/attack-network.ts'
import { createGraph } from '../src/structure/graph.ts'

/** Internet, web server, app host, planted content, support agent, tool, vault, customer data. */
export const names = ['I', 'W', 'H', 'C', 'A', 'T', 'V', 'D'] as const

const edges = [
  ['I', 'W', 0.3],
  ['W', 'H', 0.5],
  ['H', 'D', 0.8],
  ['I', 'C', 0.9],
  ['C', 'A', 0.4],
  ['A', 'T', 0.95],
  ['T', 'D', 0.9],
  ['A', 'V', 0.2],
  ['V', 'D', 0.95],
  ['I', 'H', 0.1],
] as const

export const node = (name: (typeof names)[number]): number => names.indexOf(name)

/** Edge number by its ends, for example `C-A`. */
export const edge = (ends: string): number => edges.findIndex(([from, to]) => `${from}-${to}` === ends)

/** Example of 8 nodes and 10 edges whose probabilities were enumerated over all 1,024 worlds. */
export const smallAttackGraph: AttackNetwork = {
  graph: createGraph(
    names.length,
    edges.map(([from]) => node(from)),
    edges.map(([, to]) => node(to)),
  ),
  probabilities: Float64Array.from(edges, ([, , p]) => p),
  entries: [node('I')],
}
