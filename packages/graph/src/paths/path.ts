import type { Graph } from '../structure/graph.ts'

/** Path without repeated nodes. */
export interface Path {
  readonly length: number
  /** Edges in walking order; parallel edges make different paths. */
  readonly edges: readonly number[]
}

/** Nodes of a path in walking order, from its start. */
export function nodesOf(graph: Graph, start: number, path: Path): readonly number[] {
  return [start, ...path.edges.map((edge) => graph.targets[edge] ?? -1)]
}

/** Order of paths: by length, then edge by edge, so that equal lengths always come in the same order. */
export function comparePaths(a: Path, b: Path): number {
  if (a.length !== b.length) return a.length - b.length
  const differing = a.edges.findIndex((edge, index) => edge !== b.edges[index])
  return differing < 0 ? a.edges.length - b.edges.length : (a.edges[differing] ?? 0) - (b.edges[differing] ?? -1)
}
