/** Network for maximum flow, built arc by arc. */
export interface FlowNetwork {
  /** Adds an arc with a capacity (0 or more, infinity allowed). Returns its number. */
  readonly add: (from: number, to: number, capacity: number) => number
  /** Pushes the maximum flow and returns its value; infinity where infinite capacities connect source and sink. */
  readonly maximize: (source: number, sink: number) => number
  /** Nodes that the source still reaches after `maximize`: the source side of a minimum cut. */
  readonly sourceSide: () => Uint8Array
}

/**
 * Maximum flow by Dinic's algorithm (1970): level graphs by breadth-first search, blocking flows by depth-first search
 * with a pointer per node, without recursion.
 */
export function createFlowNetwork(nodes: number): FlowNetwork {
  const first = new Int32Array(nodes).fill(-1)
  const next: number[] = []
  const heads: number[] = []
  const rest: number[] = []
  const levels = new Int32Array(nodes)
  const pointer = new Int32Array(nodes)
  let start = 0

  function addArc(from: number, to: number, capacity: number): void {
    heads.push(to)
    rest.push(capacity)
    next.push(first[from] ?? -1)
    first[from] = heads.length - 1
  }

  function level(source: number, sink: number): boolean {
    levels.fill(-1)
    levels[source] = 0
    const queue = [source]
    for (let at = 0; at < queue.length; at++) {
      const node = queue[at] ?? 0
      for (let arc = first[node] ?? -1; arc >= 0; arc = next[arc] ?? -1) {
        const head = heads[arc] ?? 0
        if ((rest[arc] ?? 0) <= 0 || (levels[head] ?? 0) >= 0) continue
        levels[head] = (levels[node] ?? 0) + 1
        queue.push(head)
      }
    }
    return (levels[sink] ?? -1) >= 0
  }

  /** Finds one path of the level graph from the source; the pointers remember dead ends. Empty without a path. */
  function findPath(source: number, sink: number): readonly number[] {
    const path: number[] = []
    let node = source
    while (node !== sink) {
      const arc = pointer[node] ?? -1
      if (arc < 0) {
        const back = path.pop()
        if (back === undefined) return []
        node = heads[back ^ 1] ?? source
        pointer[node] = next[back] ?? -1
      } else if ((rest[arc] ?? 0) > 0 && levels[heads[arc] ?? 0] === (levels[node] ?? 0) + 1) {
        path.push(arc)
        node = heads[arc] ?? 0
      } else pointer[node] = next[arc] ?? -1
    }
    return path
  }

  function push(path: readonly number[]): number {
    const amount = path.reduce((least, arc) => Math.min(least, rest[arc] ?? 0), Number.POSITIVE_INFINITY)
    if (amount === Number.POSITIVE_INFINITY) return amount
    for (const arc of path) {
      rest[arc] = (rest[arc] ?? 0) - amount
      rest[arc ^ 1] = (rest[arc ^ 1] ?? 0) + amount
    }
    return amount
  }

  function maximize(source: number, sink: number): number {
    if (source === sink) return Number.POSITIVE_INFINITY
    start = source
    let flow = 0
    while (level(source, sink)) {
      pointer.set(first)
      for (let path = findPath(source, sink); path.length > 0; path = findPath(source, sink)) {
        flow += push(path)
        if (flow === Number.POSITIVE_INFINITY) return flow
      }
    }
    return flow
  }

  return {
    add: (from, to, capacity) => {
      if (!(capacity >= 0)) throw new RangeError(`Capacity must be 0 or more, got ${capacity}`)
      addArc(from, to, capacity)
      addArc(to, from, 0)
      return heads.length - 2
    },
    maximize,
    sourceSide: () => {
      level(start, start)
      return Uint8Array.from(levels, (each) => (each >= 0 ? 1 : 0))
    },
  }
}
