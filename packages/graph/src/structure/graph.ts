/** Edges of all nodes in one direction, in compressed sparse row form. */
export interface Adjacency {
  /** Edges of node n stand at `offsets[n]` to `offsets[n + 1] − 1`. */
  readonly offsets: Int32Array
  /** Edge at each place: its number in the list that the graph was built from. */
  readonly edges: Int32Array
  /** Node at the other end of the edge at each place. */
  readonly ends: Int32Array
}

/** Directed multigraph over nodes 0, 1, 2, …; parallel edges and loops are allowed. */
export interface Graph {
  readonly nodes: number
  readonly edges: number
  /** Source and target of each edge. */
  readonly sources: Int32Array
  readonly targets: Int32Array
  readonly outgoing: Adjacency
  readonly incoming: Adjacency
}

export type Direction = 'forward' | 'backward'

/** Largest numbers of nodes and edges. */
export const graphLimits = { nodes: 1_000_000, edges: 5_000_000 } as const

/**
 * Builds a graph from its edges: edge i leads from `sources[i]` to `targets[i]`. Edges of a node keep the order of the
 * list. Time and memory are linear.
 *
 * @throws RangeError beyond the limits or for an edge with an unknown node
 */
export function createGraph(nodes: number, sources: ArrayLike<number>, targets: ArrayLike<number>): Graph {
  const edges = sources.length
  if (!(Number.isInteger(nodes) && nodes >= 0 && nodes <= graphLimits.nodes)) {
    throw new RangeError(`Number of nodes must be 0..${graphLimits.nodes}, got ${nodes}`)
  }
  if (targets.length !== edges) throw new RangeError(`${edges} sources, but ${targets.length} targets`)
  if (edges > graphLimits.edges) throw new RangeError(`At most ${graphLimits.edges} edges, got ${edges}`)
  const [from, to] = [nodesOf(sources, nodes), nodesOf(targets, nodes)]
  return {
    nodes,
    edges,
    sources: from,
    targets: to,
    outgoing: adjacency(nodes, from, to),
    incoming: adjacency(nodes, to, from),
  }
}

function nodesOf(list: ArrayLike<number>, nodes: number): Int32Array {
  const checked = new Int32Array(list.length)
  for (let edge = 0; edge < list.length; edge++) {
    const node = list[edge] ?? -1
    if (!(Number.isInteger(node) && node >= 0 && node < nodes)) {
      throw new RangeError(`Edge ${edge} names the unknown node ${node}`)
    }
    checked[edge] = node
  }
  return checked
}

/** Counting sort of the edges by one end. */
function adjacency(nodes: number, near: Int32Array, far: Int32Array): Adjacency {
  const offsets = new Int32Array(nodes + 1)
  for (let edge = 0; edge < near.length; edge++) {
    const next = (near[edge] ?? 0) + 1
    offsets[next] = (offsets[next] ?? 0) + 1
  }
  for (let node = 0; node < nodes; node++) offsets[node + 1] = (offsets[node + 1] ?? 0) + (offsets[node] ?? 0)
  const places = offsets.slice(0, nodes)
  const edges = new Int32Array(near.length)
  const ends = new Int32Array(near.length)
  for (let edge = 0; edge < near.length; edge++) {
    const node = near[edge] ?? 0
    const place = places[node] ?? 0
    places[node] = place + 1
    edges[place] = edge
    ends[place] = far[edge] ?? 0
  }
  return { offsets, edges, ends }
}

/** Edges in walking direction: outgoing ones forward, incoming ones backward. */
export function adjacencyOf(graph: Graph, direction: Direction): Adjacency {
  return direction === 'forward' ? graph.outgoing : graph.incoming
}

/** Throws a RangeError for a number that is no node of the graph. */
export function requireNodes(graph: Graph, nodes: Iterable<number>): void {
  for (const node of nodes) {
    if (!(Number.isInteger(node) && node >= 0 && node < graph.nodes)) throw new RangeError(`Unknown node ${node}`)
  }
}

/** Throws a RangeError unless there is one valid value per edge. */
export function requireEdgeValues(graph: Graph, values: ArrayLike<number>, isValid: (value: number) => boolean): void {
  if (values.length !== graph.edges) throw new RangeError(`${graph.edges} edges, but ${values.length} values`)
  for (let edge = 0; edge < graph.edges; edge++) {
    const value = values[edge] ?? Number.NaN
    if (!isValid(value)) throw new RangeError(`Edge ${edge} has the invalid value ${value}`)
  }
}

/** Parts of a graph that an analysis leaves out, by flags: 0 removed, anything else kept. Absent flags keep all. */
export interface Kept {
  readonly nodes?: Uint8Array
  readonly edges?: Uint8Array
}

export function keepsNode(kept: Kept, node: number): boolean {
  return kept.nodes === undefined || kept.nodes[node] !== 0
}

export function keepsEdge(kept: Kept, edge: number): boolean {
  return kept.edges === undefined || kept.edges[edge] !== 0
}
