import fc from 'fast-check'
import { createGraph, type Graph } from '../src/structure/graph.ts'

/** Small random multigraphs with loops, parallel edges and cycles. */
export const graphs = (options: { readonly nodes: number; readonly edges: number }): fc.Arbitrary<Graph> =>
  fc.integer({ min: 1, max: options.nodes }).chain((nodes) =>
    fc.array(fc.tuple(fc.nat(nodes - 1), fc.nat(nodes - 1)), { maxLength: options.edges }).map((edges) =>
      createGraph(
        nodes,
        edges.map(([from]) => from),
        edges.map(([, to]) => to),
      ),
    ),
  )

/** Whether walking kept edges leads from one node to another, by plain search. */
export function leads(
  graph: Graph,
  from: number,
  to: number,
  isKept: (edge: number, node: number) => boolean = () => true,
) {
  const seen = new Set([from])
  for (const node of seen) {
    for (let edge = 0; edge < graph.edges; edge++) {
      const target = graph.targets[edge] ?? -1
      if (graph.sources[edge] === node && isKept(edge, target)) seen.add(target)
    }
  }
  return seen.has(to)
}
