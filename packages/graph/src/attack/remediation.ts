import { type ControlChoice, chooseControls } from '@parapet/quant'
import type { AttackNetwork } from '../reach/attack-network.ts'
import { type ReachOptions, reachProbabilities } from '../reach/reach-probability.ts'

/** Change of a network: a fix, a control, a removed part. */
export interface Change {
  /** 0 or more. */
  readonly cost: number
  /**
   * Factor on the probability of edges, 0..1: 0 removes an edge, 1 − efficacy hardens it. Changes that name the same
   * edge multiply.
   */
  readonly factors: readonly { readonly edge: number; readonly factor: number }[]
}

/** Change that removes a node: all edges into it get probability 0. */
export function nodeRemoval({ graph }: AttackNetwork, node: number, cost: number): Change {
  const { offsets, edges } = graph.incoming
  const into = edges.subarray(offsets[node] ?? 0, offsets[node + 1] ?? 0)
  return { cost, factors: [...into].map((edge) => ({ edge, factor: 0 })) }
}

/** The network after changes. */
export function applyChanges(network: AttackNetwork, changes: readonly Change[]): AttackNetwork {
  const probabilities = network.probabilities.slice()
  for (const { factors } of changes) {
    for (const { edge, factor } of factors) {
      if (!(factor >= 0 && factor <= 1)) throw new RangeError(`Factor of edge ${edge} must be 0..1, got ${factor}`)
      const before = probabilities[edge]
      if (before === undefined) throw new RangeError(`Unknown edge ${edge}`)
      probabilities[edge] = before * factor
    }
  }
  return { ...network, probabilities }
}

export interface RemediationInput extends ReachOptions {
  readonly network: AttackNetwork
  /** The benefit of changes is the drop of the summed reach probability of all targets. */
  readonly targets: readonly number[]
  readonly changes: readonly Change[]
}

export interface Remediation {
  /** Indices of the chosen changes in ascending order. */
  readonly chosen: readonly number[]
  readonly cost: number
  readonly before: number
  readonly after: number
  readonly method: 'exact' | 'greedy'
  /** How much lower `after` could be at best. */
  readonly gap: number
}

/** The changes within a budget that lower the reach probability most: exact to 20 changes, else greedy with the gap. */
export function chooseChanges(input: RemediationInput & { readonly budget: number }): Remediation {
  const reach = createReach(input)
  const before = reach([])
  const benefit = (chosen: readonly number[]) => before - reach(chosen)
  // Two ways that must both be cut help only together: no diminishing returns.
  return remediation(chooseControls({ options: input.changes, budget: input.budget, benefit, returns: 'any' }), before)
}

/** Largest number of sets that `bestChanges` tries out. */
const maximumSets = 20_000

/**
 * The `count` changes (two by default) that together lower the reach probability most, whatever they cost: all sets of
 * that size are tried, so changes that help only together are found.
 *
 * @throws RangeError where there are more than 20,000 such sets
 */
export function bestChanges(input: RemediationInput, count = 2): Remediation {
  const size = Math.min(count, input.changes.length)
  if (combinations(input.changes.length, size) > maximumSets) {
    throw new RangeError(`More than ${maximumSets} sets of ${size} of ${input.changes.length} changes`)
  }
  const reach = createReach(input)
  const before = reach([])
  let best: Omit<ControlChoice, 'method' | 'bound' | 'gap'> = { chosen: [], benefit: 0, cost: 0 }
  for (const chosen of subsets(input.changes.length, size)) {
    const benefit = before - reach(chosen)
    const cost = chosen.reduce((sum, index) => sum + (input.changes[index]?.cost ?? 0), 0)
    if (benefit > best.benefit || (benefit === best.benefit && benefit > 0 && cost < best.cost)) {
      best = { chosen, benefit, cost }
    }
  }
  return { chosen: best.chosen, cost: best.cost, before, after: before - best.benefit, method: 'exact', gap: 0 }
}

function createReach({
  network,
  targets,
  changes,
  seed,
  worlds,
}: RemediationInput): (chosen: readonly number[]) => number {
  const options = worlds === undefined ? { seed } : { seed, worlds }
  return (chosen) => {
    const changed = applyChanges(
      network,
      changes.filter((_, index) => chosen.includes(index)),
    )
    return reachProbabilities(changed, targets, options).reduce((sum, { probability }) => sum + probability, 0)
  }
}

function remediation({ chosen, cost, benefit, method, gap }: ControlChoice, before: number): Remediation {
  return { chosen, cost, before, after: before - benefit, method, gap }
}

function combinations(n: number, k: number): number {
  let result = 1
  for (let i = 1; i <= k; i++) result = (result * (n - k + i)) / i
  return Math.round(result)
}

/** All ascending sets of k of the numbers 0 to n − 1, in lexicographic order. */
function* subsets(n: number, k: number, from = 0): Generator<readonly number[]> {
  if (k === 0) yield []
  else
    for (let first = from; first <= n - k; first++)
      for (const rest of subsets(n, k - 1, first + 1)) yield [first, ...rest]
}
