import type { AttackNetwork } from './attack-network.ts'
import { type ReducedNetwork, reduceNetwork } from './reduction.ts'

/** Largest number of uncertain edges after reduction for the exact method. */
export const maximumUncertainEdges = 22

/** Different situations after which the exact method gives up: about a second of work. */
const maximumStates = 100_000

/**
 * Exact probability that a target is reached, by factoring: an edge at the border of the reached nodes either holds or
 * does not, and equal situations are computed once. Null where more than 22 uncertain edges matter after reduction or
 * the situations are too many.
 */
export function exactReachProbability(network: AttackNetwork, target: number): number | null {
  if (network.entries.includes(target)) return 1
  const reduced = reduceNetwork(network, target)
  if (reduced === 'impossible') return 0
  if (reduced === 'large' || uncertainEdges(reduced) > maximumUncertainEdges) return null
  return new Factoring(reduced).probability()
}

function uncertainEdges({ edges }: ReducedNetwork): number {
  return edges.filter(({ probability }) => probability < 1).length
}

const unknown = 0
const holds = 1
const fails = 2

class Factoring {
  readonly #network: ReducedNetwork
  readonly #states: Uint8Array
  readonly #known = new Map<string, number>()
  readonly #incoming: readonly (readonly number[])[]

  constructor(network: ReducedNetwork) {
    this.#network = network
    this.#states = Uint8Array.from(network.edges, ({ probability }) => (probability < 1 ? unknown : holds))
    const incoming: number[][] = Array.from({ length: network.nodes }, () => [])
    for (const [index, { to }] of network.edges.entries()) incoming[to]?.push(index)
    this.#incoming = incoming
  }

  /** Null where the situations are too many. */
  probability(): number | null {
    const result = this.#visit()
    return Number.isNaN(result) ? null : result
  }

  #visit(): number {
    const reached = this.#fixedPoint((state) => state === holds)
    if (reached[1] === 1) return 1
    const possible = this.#fixedPoint((state) => state !== fails)
    if (possible[1] === 0) return 0
    const key = this.#keyOf(reached, possible)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    if (this.#known.size >= maximumStates) return Number.NaN
    const result = this.#branch(this.#pivot(reached, possible))
    this.#known.set(key, result)
    return result
  }

  #branch(edge: number): number {
    const p = this.#network.edges[edge]?.probability ?? 0
    this.#states[edge] = holds
    const withEdge = this.#visit()
    this.#states[edge] = fails
    const withoutEdge = this.#visit()
    this.#states[edge] = unknown
    return p * withEdge + (1 - p) * withoutEdge
  }

  /** Nodes that are reached when the edges of the accepted states hold. */
  #fixedPoint(accepts: (state: number) => boolean): Uint8Array {
    const { edges, nodes, isAllOf } = this.#network
    const reached = new Uint8Array(nodes)
    reached[0] = 1
    const isOpen = (index: number) => accepts(this.#states[index] ?? fails) && reached[edges[index]?.from ?? 0] === 1
    for (let changed = true; changed; ) {
      changed = false
      for (let node = 1; node < nodes; node++) {
        const into = this.#incoming[node] ?? []
        if (reached[node] === 1 || into.length === 0) continue
        if (!(isAllOf[node] === true ? into.every(isOpen) : into.some(isOpen))) continue
        reached[node] = 1
        changed = true
      }
    }
    return reached
  }

  /** The first unknown edge from a reached to a possible, not yet reached node: one exists while the target is open. */
  #pivot(reached: Uint8Array, possible: Uint8Array): number {
    return this.#network.edges.findIndex(
      ({ from, to }, index) =>
        this.#states[index] === unknown && reached[from] === 1 && reached[to] === 0 && possible[to] === 1,
    )
  }

  /** State that the rest depends on: reached nodes, and the states of edges between nodes that are still open. */
  #keyOf(reached: Uint8Array, possible: Uint8Array): string {
    let key = reached.join('')
    for (const [index, { from, to }] of this.#network.edges.entries()) {
      if (reached[to] === 0 && possible[from] === 1 && possible[to] === 1) key += this.#states[index] ?? 0
      else key += '-'
    }
    return key
  }
}
