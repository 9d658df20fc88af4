import { type Interval, wilsonInterval } from '@parapet/quant'
import type { Kept } from '../structure/graph.ts'
import { type AttackNetwork, requireAttackNetwork } from './attack-network.ts'
import { exactReachProbability } from './exact.ts'
import { simulateReach } from './simulated.ts'

export interface ReachOptions {
  /** Seed of the simulation, used where the exact method does not apply. */
  readonly seed: string
  /** Worlds of the simulation; 10,000 by default. */
  readonly worlds?: number
}

export interface ReachProbability {
  readonly probability: number
  readonly method: 'exact' | 'simulated'
  /** 95 % Wilson interval; the probability itself for the exact method. */
  readonly interval: Interval
}

const defaultWorlds = 10_000

/**
 * Probability that each target is reached from the entries by any way, shared edges counted once: exact where at most 22
 * uncertain edges matter, else simulated, all targets in the same worlds.
 */
export function reachProbabilities(
  network: AttackNetwork,
  targets: readonly number[],
  { seed, worlds = defaultWorlds }: ReachOptions,
): readonly ReachProbability[] {
  requireAttackNetwork(network)
  const exact = targets.map((target) => exactReachProbability(network, target))
  const counts = exact.includes(null) ? simulateReach(network, { seed, worlds }) : null
  return targets.map((target, index) => {
    const probability = exact[index] ?? null
    if (probability !== null) return { probability, method: 'exact', interval: { low: probability, high: probability } }
    const [reached, all] = [counts?.reached[target] ?? 0, counts?.worlds ?? 1]
    return { probability: reached / all, method: 'simulated', interval: wilsonInterval(reached, all) }
  })
}

/** The network without the parts that are not kept: their edges have probability 0. */
export function withoutParts(network: AttackNetwork, kept: Kept): AttackNetwork {
  const { graph } = network
  const probabilities = network.probabilities.slice()
  for (let edge = 0; edge < graph.edges; edge++) {
    const ends = [graph.sources[edge] ?? 0, graph.targets[edge] ?? 0]
    const isKept = kept.edges?.[edge] !== 0 && ends.every((node) => kept.nodes?.[node] !== 0)
    if (!isKept) probabilities[edge] = 0
  }
  return { ...network, probabilities, entries: network.entries.filter((node) => kept.nodes?.[node] !== 0) }
}
