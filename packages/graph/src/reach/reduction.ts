import { type AttackNetwork, reachedNodes } from './attack-network.ts'

/** Edge of a reduced network. */
export interface ReducedEdge {
  readonly from: number
  readonly to: number
  readonly probability: number
}

/** Network with one entry (node 0) and one target (node 1) and the same reach probability as the one it came from. */
export interface ReducedNetwork {
  readonly nodes: number
  readonly edges: readonly ReducedEdge[]
  readonly isAllOf: readonly boolean[]
}

/** Edges that matter for a target beyond which nothing is reduced: merging takes quadratic time. */
const maximumReducible = 2_000

/**
 * Reduces a network to the part that matters for one target: nodes that can be reached and can reach the target, parallel
 * edges as one, nodes that only pass on as one edge, certain steps contracted. `impossible`: the target cannot be
 * reached. `large`: more than 2,000 edges matter.
 */
export function reduceNetwork(network: AttackNetwork, target: number): ReducedNetwork | 'impossible' | 'large' {
  const { graph, probabilities, entries, allOf } = network
  // No way to the target needs the target itself.
  const canHold = (edge: number) => (probabilities[edge] ?? 0) > 0 && graph.sources[edge] !== target
  const reachable = reachedNodes(network, canHold)
  if (reachable[target] === 0) return 'impossible'
  const isEntry = new Set(entries)
  const useful = leadingTo(network, target, reachable)
  const isAll = (node: number) => allOf?.[node] === 1
  // Entries become node −1, so that edges from different entries are edges from the same node.
  const place = (node: number) => (isEntry.has(node) ? -1 : node)
  let edges: ReducedEdge[] = []
  for (let edge = 0; edge < graph.edges; edge++) {
    const [from, to] = [graph.sources[edge] ?? 0, graph.targets[edge] ?? 0]
    if (useful[from] === 0 || useful[to] === 0 || isEntry.has(to) || from === to || !canHold(edge)) continue
    edges.push({ from: place(from), to, probability: probabilities[edge] ?? 0 })
  }
  if (edges.length > maximumReducible) return 'large'
  for (let before = -1; before !== edges.length; ) {
    before = edges.length
    edges = mergeSeries(mergeParallel(edges, isAll), target, isAll)
  }
  return numbered(edges, target, isAll)
}

/** Reachable nodes from which the target can be reached. */
function leadingTo({ graph, probabilities }: AttackNetwork, target: number, reachable: Uint8Array): Uint8Array {
  const { offsets, edges, ends } = graph.incoming
  const useful = new Uint8Array(graph.nodes)
  useful[target] = 1
  const queue = [target]
  for (let at = 0; at < queue.length; at++) {
    const node = queue[at] ?? 0
    for (let index = offsets[node] ?? 0; index < (offsets[node + 1] ?? 0); index++) {
      const end = ends[index] ?? 0
      if (useful[end] === 1 || reachable[end] === 0 || (probabilities[edges[index] ?? 0] ?? 0) === 0) continue
      useful[end] = 1
      queue.push(end)
    }
  }
  return useful
}

/** Edges between the same nodes: one of them holds, or at an AND node all of them. */
function mergeParallel(edges: readonly ReducedEdge[], isAll: (node: number) => boolean): ReducedEdge[] {
  const merged = new Map<string, ReducedEdge>()
  for (const edge of edges) {
    const key = `${edge.from},${edge.to}`
    const other = merged.get(key)
    if (other === undefined) merged.set(key, edge)
    else {
      const [p, q] = [edge.probability, other.probability]
      merged.set(key, { ...edge, probability: isAll(edge.to) ? p * q : p + q - p * q })
    }
  }
  return [...merged.values()]
}

/** Replaces one node at a time that has a single edge in and either a single edge out or a certain edge in. */
function mergeSeries(edges: readonly ReducedEdge[], target: number, isAll: (node: number) => boolean): ReducedEdge[] {
  const incoming = groupBy(edges, ({ to }) => to)
  const outgoing = groupBy(edges, ({ from }) => from)
  for (const [node, into] of incoming) {
    if (node === target) continue
    const out = outgoing.get(node) ?? []
    const rest = () => edges.filter((edge) => edge.to !== node && edge.from !== node)
    if (out.length === 0) return rest()
    const [single, another] = into
    if (single === undefined || another !== undefined || (out.length > 1 && single.probability < 1)) continue
    const joined = out.map(({ to, probability }) => ({
      from: single.from,
      to,
      probability: probability * single.probability,
    }))
    // A way back to where it came from adds nothing to an OR node, but an AND node would wait for itself.
    if (joined.some(({ from, to }) => from === to && isAll(to))) continue
    return [...rest(), ...joined.filter(({ from, to }) => from !== to)]
  }
  return [...edges]
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => number): Map<number, Item[]> {
  const groups = new Map<number, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

function numbered(edges: readonly ReducedEdge[], target: number, isAll: (node: number) => boolean): ReducedNetwork {
  const numbers = new Map([
    [-1, 0],
    [target, 1],
  ])
  const isAllOf = [false, isAll(target)]
  const numberOf = (node: number) => {
    const known = numbers.get(node)
    if (known !== undefined) return known
    numbers.set(node, numbers.size)
    isAllOf.push(isAll(node))
    return numbers.size - 1
  }
  const renamed = edges.map(({ from, to, probability }) => ({ from: numberOf(from), to: numberOf(to), probability }))
  return { nodes: numbers.size, edges: renamed, isAllOf }
}
