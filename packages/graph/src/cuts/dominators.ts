import { type Graph, requireNodes } from '../structure/graph.ts'

/** Immediate dominators of all nodes that the entries reach. */
export interface Dominators {
  /** The last node before `node` that every path from an entry crosses; null for entries and nodes without one. */
  readonly immediate: (node: number) => number | null
  readonly isReachable: (node: number) => boolean
  /** All nodes that every path from an entry to `node` crosses, first to last, without the node itself. */
  readonly of: (node: number) => readonly number[]
}

/**
 * Dominator tree from all entries at once, through a virtual node before them, by the Semi-NCA algorithm (Georgiadis,
 * Tarjan and Werneck 2006).
 */
export function dominators(graph: Graph, entries: readonly number[]): Dominators {
  requireNodes(graph, entries)
  const search = depthFirst(graph, entries)
  const semi = semidominators(graph, search, entries)
  const idom = nearestCommonAncestors(search, semi)
  const nodeAt = (number: number) => (number <= 0 ? null : (search.nodes[number] ?? null))
  const immediate = (node: number) => {
    const number = search.numbers[node] ?? 0
    return number === 0 ? null : nodeAt(idom[number] ?? 0)
  }
  return {
    immediate,
    isReachable: (node) => (search.numbers[node] ?? 0) > 0,
    of: (node) => {
      const chain: number[] = []
      for (let at = immediate(node); at !== null; at = immediate(at)) chain.push(at)
      return chain.reverse()
    },
  }
}

/** Depth-first numbers 1, 2, … of reached nodes; the virtual root is number 0. */
interface DepthFirst {
  readonly count: number
  /** Node by number. */
  readonly nodes: Int32Array
  /** Number by node; 0 for unreachable nodes. */
  readonly numbers: Int32Array
  /** Number of the parent by number. */
  readonly parents: Int32Array
}

function depthFirst(graph: Graph, entries: readonly number[]): DepthFirst {
  const { offsets, ends } = graph.outgoing
  const nodes = new Int32Array(graph.nodes + 1).fill(-1)
  const numbers = new Int32Array(graph.nodes)
  const parents = new Int32Array(graph.nodes + 1)
  const next = offsets.slice(0, graph.nodes)
  const path: number[] = []
  let count = 0
  const enter = (node: number, parent: number) => {
    count++
    numbers[node] = count
    nodes[count] = node
    parents[count] = parent
    path.push(node)
  }
  for (const entry of entries) {
    if (numbers[entry] === 0) enter(entry, 0)
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const place = next[node] ?? 0
      next[node] = place + 1
      if (place >= (offsets[node + 1] ?? 0)) path.pop()
      else if (numbers[ends[place] ?? 0] === 0) enter(ends[place] ?? 0, numbers[node] ?? 0)
    }
  }
  return { count, nodes, numbers, parents }
}

/** Semidominators by number, with path compression. */
function semidominators(graph: Graph, search: DepthFirst, entries: readonly number[]): Int32Array {
  const { count, nodes, numbers, parents } = search
  const { offsets, ends } = graph.incoming
  const semi = Int32Array.from({ length: count + 1 }, (_, number) => number)
  const label = semi.slice()
  const ancestor = parents.slice(0, count + 1)
  const isEntry = new Uint8Array(graph.nodes)
  for (const entry of entries) isEntry[entry] = 1
  for (let number = count; number >= 1; number--) {
    const node = nodes[number] ?? 0
    // Every entry has an edge from the virtual root.
    let best = isEntry[node] === 1 ? 0 : (parents[number] ?? 0)
    for (let place = offsets[node] ?? 0; place < (offsets[node + 1] ?? 0); place++) {
      const predecessor = numbers[ends[place] ?? 0] ?? 0
      if (predecessor === 0) continue
      const candidate =
        predecessor <= number ? predecessor : (semi[evaluate(predecessor, number, ancestor, label, semi)] ?? 0)
      if (candidate < best) best = candidate
    }
    semi[number] = best
    label[number] = number
  }
  return semi
}

/** Number with the smallest semidominator between `number` and the processed forest's root; compresses the path. */
function evaluate(number: number, last: number, ancestor: Int32Array, label: Int32Array, semi: Int32Array): number {
  const path: number[] = []
  let at = number
  for (; (ancestor[at] ?? 0) > last; at = ancestor[at] ?? 0) path.push(at)
  const root = ancestor[at] ?? 0
  let best = label[at] ?? 0
  for (let i = path.length - 1; i >= 0; i--) {
    const each = path[i] ?? 0
    if ((semi[best] ?? 0) < (semi[label[each] ?? 0] ?? 0)) label[each] = best
    best = label[each] ?? 0
    ancestor[each] = root
  }
  return best
}

function nearestCommonAncestors({ count, parents }: DepthFirst, semi: Int32Array): Int32Array {
  const idom = parents.slice(0, count + 1)
  for (let number = 1; number <= count; number++) {
    let candidate = idom[number] ?? 0
    while (candidate > (semi[number] ?? 0)) candidate = idom[candidate] ?? 0
    idom[number] = candidate
  }
  return idom
}
