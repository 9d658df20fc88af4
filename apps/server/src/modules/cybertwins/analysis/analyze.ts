/**
 * Attack paths of one state of the twin: the k best paths to each target, the probability that each is reached by any
 * way, choke points, cheapest cuts, the changes that lower it most, and what-ifs with the same random numbers. Equal
 * inputs give equal results. Pure. Tested in analyze.test.ts.
 */
import {
  chokePoints,
  createWeights,
  diversePaths,
  edgeModelVersion,
  minimumVertexCut,
  type Path,
  pathMassShares,
  probabilityWeights,
  reachProbabilities,
  shortestSimplePaths,
  type Weights,
} from '@parapet/graph'
import type { AnalysisInputs, AnalysisResult, AttackPath, Reach } from '../declared/analysis-schema.ts'
import { type Focus, focusOn } from '../model/focus.ts'
import { buildNetwork, type TwinNetwork } from '../model/network.ts'
import type { TwinNode, TwinState } from '../model/state.ts'
import { blastRadius } from './blast-radius.ts'
import { costOfIsolation } from './fixes.ts'
import { pathView, refOf, refsOf } from './refs.ts'
import { toxicCombinations } from './toxic.ts'
import { examineChanges } from './two-changes.ts'
import { tryWhatIfs } from './what-if.ts'

export interface AnalysisRequest {
  readonly state: TwinState
  readonly inputs: AnalysisInputs
  readonly seed: string
}

export interface Work {
  progress(fraction: number): void
  stopped(): boolean
}

/** Listed paths of all targets together, and targets whose paths, cuts and changes are examined. */
const mostPaths = 1_000
const mostTargets = 10
const mostChokePoints = 20
/** Simulated worlds of each candidate for a choke point. */
const chokeWorlds = 4_096
/** Edges above which the simulation takes fewer worlds. */
const largeEdges = 200_000
const largeWorlds = 1_024

/** Nothing where nobody waits any more. */
export function analyze({ state, inputs, seed }: AnalysisRequest, work: Work): AnalysisResult | null {
  const attacker = { profile: inputs.profile, horizonDays: inputs.horizon_days }
  const net = buildNetwork({ state, attacker, sourceIds: inputs.source_ids })
  const targets = targetsOf(state, inputs).map((node) => ({ node, number: net.numberOf.get(node.id) ?? 0 }))
  const worlds = net.edges.length > largeEdges ? Math.min(inputs.worlds, largeWorlds) : inputs.worlds
  const options = { seed, worlds }
  const reach = reachOf(net, targets, options)
  work.progress(0.3)
  if (work.stopped()) return null
  const worst = [...targets.keys()]
    .sort((a, b) => (reach[b]?.probability ?? 0) - (reach[a]?.probability ?? 0) || a - b)
    .slice(0, mostTargets)
    .flatMap((index) => targets[index] ?? [])
  const found = worst.map(({ node, number }) => ({ node, number, paths: pathsTo(net, number, inputs) }))
  work.progress(0.5)
  if (work.stopped()) return null
  const paths = found.flatMap((one) => one.paths)
  const views = found.flatMap((one) => one.paths.map((path) => pathView(net, path, one.node))).slice(0, mostPaths)
  const focus = focusOn(
    net,
    worst.map(({ number }) => number),
    paths,
  )
  const inFocus = worst.flatMap(({ number }) => focus.nodeOf.get(number) ?? [])
  const changes = examineChanges({ net, focus, targets: inFocus, paths, seed, budget: inputs.budget })
  work.progress(0.8)
  if (work.stopped()) return null
  return {
    ...{ model: edgeModelVersion, nodes: state.nodes.length, edges: state.edges.length },
    ...{ reach: [...reach], paths: [...views] },
    choke_points: chokesOf(net, focus, { target: found[0] ?? null, seed }),
    cuts: worst.map(({ node, number }) => cutOf(net, focus, { node, number, costs: inputs.costs })),
    ...{ two_changes: changes.twoChanges, within_budget: changes.withinBudget, fixes: [...changes.fixes] },
    fixes_scope: focus.scope,
    blast_radius: blastRadius(net, inputs.blast_radius_of, options),
    toxic: [...toxicCombinations(state)],
    what_if: tryWhatIfs({ state, inputs, targets: targets.map(({ node }) => node), reach, options }),
    risk: reach.slice(0, mostTargets).map((one) => riskOf(one, views)),
  }
}

/** Targets that were named, or all crown jewels, most critical first. */
export function targetsOf({ nodes }: TwinState, { target_ids: ids }: Pick<AnalysisInputs, 'target_ids'>): TwinNode[] {
  if (ids !== null) return ids.flatMap((id) => nodes.find((node) => node.id === id) ?? [])
  return nodes
    .filter((node) => node.crown_jewel)
    .sort((a, b) => b.criticality - a.criticality)
    .slice(0, 50)
}

interface Target {
  readonly node: TwinNode
  readonly number: number
}

interface Options {
  readonly seed: string
  readonly worlds: number
}

function reachOf(net: TwinNetwork, targets: readonly Target[], options: Options): readonly Reach[] {
  const numbers = targets.map(({ number }) => number)
  const mean = reachProbabilities(net.network, numbers, options)
  const hasMeasured = net.edges.some(({ estimate }) => estimate?.basis === 'measured' || isWide(estimate))
  const band = (probabilities: Float64Array) =>
    hasMeasured ? reachProbabilities({ ...net.network, probabilities }, numbers, options) : []
  const [low, high] = [band(net.low), band(net.high)]
  return targets.map(({ node }, index) => {
    const { probability = 0, method = 'exact', interval = { low: 0, high: 0 } } = mean[index] ?? {}
    const ends = { low: low[index]?.probability ?? 0, high: high[index]?.probability ?? 0 }
    return { target: refOf(node), probability, method, interval, measured: hasMeasured ? ends : null }
  })
}

const isWide = (estimate: { readonly low: number; readonly high: number } | null): boolean =>
  estimate !== null && estimate.low < estimate.high

function pathsTo(
  net: TwinNetwork,
  target: number,
  { k, order_by: order, max_overlap: overlap }: AnalysisInputs,
): Path[] {
  const all = shortestSimplePaths(net.network.graph, weightsOf(net, order), net.attacker, target)
  return [...diversePaths(all, { k, maximumOverlap: overlap ?? 1 })]
}

function weightsOf({ network, edges }: TwinNetwork, order: AnalysisInputs['order_by']): Weights {
  const { graph, probabilities } = network
  if (order === 'probability') return probabilityWeights(graph, probabilities)
  const lengths = Float64Array.from(edges, ({ estimate }, edge) => {
    if ((probabilities[edge] ?? 0) === 0) return Number.POSITIVE_INFINITY
    if (estimate === null) return 0
    return order === 'effort' ? estimate.hours : 1
  })
  return createWeights(graph, lengths)
}

interface ChokesInput {
  readonly target: (Target & { readonly paths: readonly Path[] }) | null
  readonly seed: string
}

/** Nodes of the best paths to the worst target; entries are where the attacker is and no choke points. */
function chokesOf(net: TwinNetwork, focus: Focus, { target, seed }: ChokesInput): AnalysisResult['choke_points'] {
  const number = target === null ? undefined : focus.nodeOf.get(target.number)
  if (target === null || number === undefined) return []
  const shares = pathMassShares(net.network, target.paths)
  const sources = new Set(net.sources)
  const candidates = [...shares]
    .filter(([node]) => net.nodes[node] !== null && !sources.has(node) && node !== target.number)
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostChokePoints)
    .flatMap(([node]) => focus.nodeOf.get(node) ?? [])
  const points = chokePoints({ network: focus.network, target: number, candidates, seed, worlds: chokeWorlds })
  return points.flatMap(({ node, dominates, reachWithout, loss }) => {
    const whole = focus.nodes[node] ?? -1
    return refsOf(net, [whole]).map((ref) => ({
      ...{ node: ref, on_every_path: dominates, reach_without: reachWithout, loss },
      path_share: shares.get(whole) ?? 0,
    }))
  })
}

interface CutInput extends Target {
  readonly costs: AnalysisInputs['costs']
}

/** Cheapest set of assets whose isolation ends all ways to a target; entries and other targets of the cut stay. */
function cutOf(net: TwinNetwork, focus: Focus, { node, number, costs }: CutInput): AnalysisResult['cuts'][number] {
  const to = focus.nodeOf.get(number)
  if (to === undefined) return { target: refOf(node), cost: 0, nodes: [] }
  const sources = new Set(net.sources)
  const cost = (place: number) => {
    const whole = focus.nodes[place] ?? -1
    const asset = net.nodes[whole] ?? null
    return asset === null || sources.has(whole) ? Number.POSITIVE_INFINITY : costOfIsolation(costs, asset.id)
  }
  const cut = minimumVertexCut({ graph: focus.network.graph, from: focus.network.entries, to: [to], cost })
  const items = (cut?.items ?? []).map((item) => focus.nodes[item] ?? -1)
  return { target: refOf(node), cost: cut?.cost ?? null, nodes: refsOf(net, items) }
}

/** The probability that an attack on the target succeeds, as the node `vulnerability` of FAIR, with its uncertainty. */
function riskOf({ target, probability, interval, measured }: Reach, paths: readonly AttackPath[]) {
  const ends = measured ?? interval
  const best = paths.find((path) => path.target.id === target.id)
  return {
    target,
    vulnerability: {
      type: 'pert' as const,
      low: Math.min(ends.low, probability),
      mode: probability,
      high: Math.max(ends.high, probability),
    },
    hours_to_compromise: best?.hours ?? null,
  }
}
