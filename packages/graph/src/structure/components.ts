import type { Graph } from './graph.ts'

export interface Components {
  readonly count: number
  /** Component of each node. An edge between components leads to a smaller number. */
  readonly of: Int32Array
}

/** Strongly connected components (Tarjan 1972, without recursion). */
export function stronglyConnectedComponents(graph: Graph): Components {
  const { offsets, ends } = graph.outgoing
  const of = new Int32Array(graph.nodes).fill(-1)
  const order = new Int32Array(graph.nodes).fill(-1)
  const low = new Int32Array(graph.nodes)
  const next = new Int32Array(graph.nodes)
  const open: number[] = []
  const path: number[] = []
  let [visited, count] = [0, 0]

  function enter(node: number): void {
    order[node] = visited
    low[node] = visited++
    next[node] = offsets[node] ?? 0
    open.push(node)
    path.push(node)
  }

  function leave(node: number): void {
    path.pop()
    const parent = path.at(-1)
    if (parent !== undefined) low[parent] = Math.min(low[parent] ?? 0, low[node] ?? 0)
    if (low[node] !== order[node]) return
    for (let member = open.pop(); member !== undefined; member = open.pop()) {
      of[member] = count
      if (member === node) break
    }
    count++
  }

  for (let root = 0; root < graph.nodes; root++) {
    if (order[root] !== -1) continue
    enter(root)
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const place = next[node] ?? 0
      if (place >= (offsets[node + 1] ?? 0)) {
        leave(node)
        continue
      }
      next[node] = place + 1
      const end = ends[place] ?? 0
      if (order[end] === -1) enter(end)
      else if (of[end] === -1) low[node] = Math.min(low[node] ?? 0, order[end] ?? 0)
    }
  }
  return { count, of }
}
