import { adjacencyOf, type Direction, type Graph, type Kept, keepsEdge, keepsNode, requireNodes } from './graph.ts'

export interface WalkOptions {
  readonly direction?: Direction
  /** Steps from the nearest start; unlimited by default. */
  readonly maximumDepth?: number
  /** Nodes in the result; those beyond are counted, not listed. Unlimited by default. */
  readonly maximumNodes?: number
  readonly kept?: Kept
  /** Nodes at which the walk ends: they are reached, their edges are not followed. */
  readonly stopAt?: (node: number) => boolean
}

export interface Walk {
  /** Reached nodes, starts first, in the order of depth. */
  readonly nodes: readonly number[]
  /** Depth of each listed node. */
  readonly depths: readonly number[]
  /** Edge by which each listed node was first reached; -1 for a start. */
  readonly edges: readonly number[]
  /** Number of nodes at depth 0, 1, 2, …: complete also where the list is cut. */
  readonly countsByDepth: readonly number[]
  /** More nodes were reached than listed. */
  readonly truncated: boolean
}

/** Breadth-first walk from the starts, forward (what they reach) or backward (what reaches them). */
export function walk(graph: Graph, starts: readonly number[], options: WalkOptions = {}): Walk {
  requireNodes(graph, starts)
  const { direction = 'forward', maximumDepth = Number.POSITIVE_INFINITY, kept = {}, stopAt } = options
  const { offsets, edges, ends } = adjacencyOf(graph, direction)
  const seen = new Uint8Array(graph.nodes)
  const reached: number[] = []
  const by: number[] = []
  const reach = (node: number, edge: number) => {
    if (seen[node] === 1 || !keepsNode(kept, node)) return
    seen[node] = 1
    reached.push(node)
    by.push(edge)
  }
  for (const start of starts) reach(start, -1)
  const ranges: number[] = [0]
  for (let depth = 0, from = 0; from < reached.length; depth++) {
    const to = reached.length
    ranges.push(to)
    for (let at = from; at < to && depth < maximumDepth; at++) {
      const node = reached[at] ?? 0
      if (stopAt?.(node) === true) continue
      for (let place = offsets[node] ?? 0; place < (offsets[node + 1] ?? 0); place++) {
        const edge = edges[place] ?? 0
        if (keepsEdge(kept, edge)) reach(ends[place] ?? 0, edge)
      }
    }
    from = to
  }
  return summarize(reached, by, ranges, options.maximumNodes ?? Number.POSITIVE_INFINITY)
}

function summarize(
  reached: readonly number[],
  by: readonly number[],
  ranges: readonly number[],
  maximumNodes: number,
): Walk {
  const countsByDepth = ranges.slice(1).map((end, depth) => end - (ranges[depth] ?? 0))
  const listed = Math.min(reached.length, maximumNodes)
  const depths: number[] = []
  for (const [depth, end] of ranges.slice(1).entries()) while (depths.length < Math.min(end, listed)) depths.push(depth)
  return {
    nodes: reached.slice(0, listed),
    depths,
    edges: by.slice(0, listed),
    countsByDepth,
    truncated: listed < reached.length,
  }
}

/** Edges from a start to a listed node of a walk, in the direction of the walk; null for a node that is not listed. */
export function walkedPath(
  graph: Graph,
  result: Walk,
  node: number,
  direction: Direction = 'forward',
): number[] | null {
  const edgeOf = new Map(result.nodes.map((each, index) => [each, result.edges[index] ?? -1]))
  const path: number[] = []
  let at = node
  for (let edge = edgeOf.get(at); edge !== -1; edge = edgeOf.get(at)) {
    if (edge === undefined) return null
    path.push(edge)
    at = (direction === 'forward' ? graph.sources[edge] : graph.targets[edge]) ?? at
  }
  return path.reverse()
}
