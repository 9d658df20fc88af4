import { RandomStream, seedKey } from '@parapet/quant'
import { type Kept, keepsEdge, keepsNode } from '../structure/graph.ts'
import { type AttackNetwork, requireAttackNetwork } from './attack-network.ts'
import { drawEdgeWords } from './bernoulli-words.ts'

export interface SimulationOptions {
  /** Unsigned 64-bit integer in decimal; equal seeds give equal draws, so results can be compared world by world. */
  readonly seed: string
  /** Number of worlds, rounded up to a multiple of 32; 32..1,000,000. */
  readonly worlds: number
  /** Batches of 32 worlds to run, so that workers can share them: from `first` to below `end`. All by default. */
  readonly batches?: { readonly first: number; readonly end: number }
  readonly kept?: Kept
}

export interface ReachCounts {
  readonly worlds: number
  /** Number of worlds in which each node was reached. Counts of disjoint batches add up. */
  readonly reached: Int32Array
}

/** Largest number of worlds of one simulation. */
export const maximumWorlds = 1_000_000

/**
 * Reach of all nodes by Monte Carlo, 32 worlds at a time in the bits of a word. The result depends on the seed and the
 * batches alone.
 */
export function simulateReach(network: AttackNetwork, options: SimulationOptions): ReachCounts {
  requireAttackNetwork(network)
  const { worlds, seed } = options
  if (!(worlds >= 32 && worlds <= maximumWorlds))
    throw new RangeError(`Worlds must be 32..${maximumWorlds}, got ${worlds}`)
  const { first, end } = options.batches ?? { first: 0, end: Math.ceil(worlds / 32) }
  const [stream, key] = [new RandomStream(), seedKey(seed)]
  const words = new Int32Array(network.graph.edges)
  const reached = new Int32Array(network.graph.nodes)
  const spread = createSpread(network, options.kept ?? {})
  for (let batch = first; batch < end; batch++) {
    drawEdgeWords(network.probabilities, words, { stream, key, batch })
    const states = spread(words)
    for (let node = 0; node < states.length; node++) {
      if (states[node] !== 0) reached[node] = (reached[node] ?? 0) + bitCount(states[node] ?? 0)
    }
  }
  return { worlds: 32 * (end - first), reached }
}

/** Spreads from the entries in 32 worlds at once: bit w of a node's word says that it is reached in world w. */
function createSpread({ graph, entries, allOf }: AttackNetwork, kept: Kept): (words: Int32Array) => Int32Array {
  const { offsets, edges, ends } = graph.outgoing
  const states = new Int32Array(graph.nodes)
  const waiting = new Uint8Array(graph.nodes)
  const queue = new Int32Array(graph.nodes + 1)

  /** An AND node is reached in the worlds in which all its sources are reached and all its edges hold. */
  function allOfWord(node: number, words: Int32Array): number {
    const { incoming } = graph
    let word = -1
    for (let place = incoming.offsets[node] ?? 0; place < (incoming.offsets[node + 1] ?? 0); place++) {
      const edge = incoming.edges[place] ?? 0
      word &= keepsEdge(kept, edge) ? (states[incoming.ends[place] ?? 0] ?? 0) & (words[edge] ?? 0) : 0
    }
    return word
  }

  return (words) => {
    states.fill(0)
    let [head, tail] = [0, 0]
    const enqueue = (node: number) => {
      if (waiting[node] === 1) return
      waiting[node] = 1
      queue[tail] = node
      tail = tail === graph.nodes ? 0 : tail + 1
    }
    for (const entry of entries) {
      if (!keepsNode(kept, entry)) continue
      states[entry] = -1
      enqueue(entry)
    }
    while (head !== tail) {
      const node = queue[head] ?? 0
      head = head === graph.nodes ? 0 : head + 1
      waiting[node] = 0
      const state = states[node] ?? 0
      for (let place = offsets[node] ?? 0; place < (offsets[node + 1] ?? 0); place++) {
        const [edge, target] = [edges[place] ?? 0, ends[place] ?? 0]
        const before = states[target] ?? 0
        const offered = state & (words[edge] ?? 0) & ~before
        if (offered === 0 || !keepsNode(kept, target) || !keepsEdge(kept, edge)) continue
        const added = allOf?.[target] === 1 ? allOfWord(target, words) & ~before : offered
        if (added === 0) continue
        states[target] = before | added
        enqueue(target)
      }
    }
    return states
  }
}

function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
