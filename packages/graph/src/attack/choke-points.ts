import { dominators } from '../cuts/dominators.ts'
import type { Path } from '../paths/path.ts'
import type { AttackNetwork } from '../reach/attack-network.ts'
import { type ReachOptions, reachProbabilities, withoutParts } from '../reach/reach-probability.ts'
import { walk } from '../structure/walk.ts'

export interface ChokePoint {
  readonly node: number
  /** Every way from the entries to the target crosses the node. */
  readonly dominates: boolean
  /** Reach probability of the target without the node. */
  readonly reachWithout: number
  /** Loss of reach probability when the node is removed; of the same random worlds where it is simulated. */
  readonly loss: number
}

export interface ChokePointInput extends ReachOptions {
  readonly network: AttackNetwork
  readonly target: number
  /** Nodes to examine; by default all between entries and target, at most `maximumCandidates`. */
  readonly candidates?: readonly number[]
}

/** Largest number of nodes whose removal is examined. */
export const maximumCandidates = 1_000

/** Nodes whose removal lowers the reach probability of a target most, greatest loss first. */
export function chokePoints(input: ChokePointInput): readonly ChokePoint[] {
  const { network, target, seed } = input
  const options = input.worlds === undefined ? { seed } : { seed, worlds: input.worlds }
  const reach = (without: number) => {
    const nodes = new Uint8Array(network.graph.nodes).fill(1)
    if (without >= 0) nodes[without] = 0
    return reachProbabilities(withoutParts(network, { nodes }), [target], options)[0]?.probability ?? 0
  }
  const base = reach(-1)
  const dominating = new Set(dominators(network.graph, network.entries).of(target))
  const candidates = input.candidates ?? between(network, target)
  if (candidates.length > maximumCandidates) {
    throw new RangeError(`At most ${maximumCandidates} candidates, got ${candidates.length}`)
  }
  return candidates
    .map((node) => {
      const reachWithout = reach(node)
      return { node, dominates: dominating.has(node), reachWithout, loss: base - reachWithout }
    })
    .sort((a, b) => b.loss - a.loss || a.node - b.node)
}

/** Nodes on ways from the entries to the target, without both. */
function between({ graph, entries, probabilities }: AttackNetwork, target: number): readonly number[] {
  const edges = Uint8Array.from(probabilities, (p) => (p > 0 ? 1 : 0))
  const ends = new Set([...entries, target])
  const leading = new Set(walk(graph, [target], { direction: 'backward', kept: { edges } }).nodes)
  return walk(graph, entries, { kept: { edges } }).nodes.filter((node) => leading.has(node) && !ends.has(node))
}

/**
 * Share of the probability of the given paths that runs through each node, start and end left out. Probability of a path:
 * e^−length, for lengths −ln p.
 */
export function pathMassShares(network: AttackNetwork, paths: readonly Path[]): ReadonlyMap<number, number> {
  const masses = paths.map(({ edges }) => edges.reduce((p, edge) => p * (network.probabilities[edge] ?? 0), 1))
  const total = masses.reduce((sum, mass) => sum + mass, 0)
  const shares = new Map<number, number>()
  if (total === 0) return shares
  for (const [index, { edges }] of paths.entries()) {
    for (const edge of edges.slice(0, -1)) {
      const node = network.graph.targets[edge] ?? -1
      shares.set(node, (shares.get(node) ?? 0) + (masses[index] ?? 0) / total)
    }
  }
  return shares
}
