/**
 * The two changes that together lower the reach probability of the targets most, and the best ones within a budget. All
 * pairs are tried, so that two changes that help only together are found. Pure. Tested in analyze.test.ts.
 */
import {
  applyChanges,
  bestChanges,
  chooseChanges,
  type Path,
  type Remediation,
  reachProbabilities,
} from '@parapet/graph'
import type { ChangeSet, Fix } from '../declared/analysis-schema.ts'
import type { Focus } from '../model/focus.ts'
import type { TwinNetwork } from '../model/network.ts'
import { type Candidate, candidatesOf } from './fixes.ts'
import { refOf } from './refs.ts'

/** Changes of which all pairs are tried: those with the greatest effect alone. */
const mostPaired = 14
const mostShown = 20
/** Simulated worlds of one variant, where it is not exact. */
const variantWorlds = 2_048

export interface ChangesInput {
  readonly net: TwinNetwork
  readonly focus: Focus
  /** Numbers in the focus. */
  readonly targets: readonly number[]
  readonly paths: readonly Path[]
  readonly seed: string
  readonly budget: number | null
}

export interface Changes {
  readonly fixes: readonly Fix[]
  readonly twoChanges: ChangeSet | null
  readonly withinBudget: ChangeSet | null
}

export function examineChanges(input: ChangesInput): Changes {
  const { focus, targets, seed, budget } = input
  const options = { seed, worlds: variantWorlds }
  const reach = (candidates: readonly Candidate[]) =>
    reachProbabilities(applyChanges(focus.network, candidates), targets, options).reduce(
      (sum, { probability }) => sum + probability,
      0,
    )
  const alone = candidatesOf(input.net, focus)
    .map((candidate) => ({ candidate, after: reach([candidate]) }))
    .sort((a, b) => a.after - b.after || a.candidate.cost - b.candidate.cost)
  const paired = alone.slice(0, mostPaired)
  const changes = paired.map(({ candidate }) => candidate)
  const fixes = alone.slice(0, mostShown).map(({ candidate, after }) => fixOf(input, candidate, after))
  if (changes.length === 0) return { fixes, twoChanges: null, withinBudget: null }
  const asked = { network: focus.network, targets, changes, ...options }
  const chosen = bestChanges(asked)
  return {
    fixes,
    twoChanges: setOf(chosen, fixes),
    withinBudget: budget === null ? null : setOf(chooseChanges({ ...asked, budget }), fixes),
  }
}

function fixOf({ net, paths, focus }: ChangesInput, candidate: Candidate, after: number): Fix {
  const { control, asset, cost, efficacy, basis, relationIds, factors } = candidate
  const touched = new Set(factors.map(({ edge }) => focus.edges[edge]))
  return {
    ...{ control, asset: refOf(asset), cost, efficacy, basis, relation_ids: relationIds.slice(0, 100) },
    reach_after: after,
    paths_closed: paths.filter(({ edges }) => edges.some((edge) => touched.has(edge) && net.edges[edge])).length,
  }
}

/** The fixes stand in the order of the candidates. */
function setOf({ chosen, cost, before, after, method, gap }: Remediation, fixes: readonly Fix[]): ChangeSet {
  const changes = chosen.flatMap((index) => fixes[index] ?? [])
  return { changes, cost, reach_before: before, reach_after: after, method, gap }
}
