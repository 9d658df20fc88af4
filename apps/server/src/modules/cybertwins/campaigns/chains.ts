/**
 * Chains of steps with all their numbers: given ones, techniques of a template, or the best paths of the graph. A step
 * whose technique occurs in the graph has the probability that it has there, with the measured efficacy of guardrails.
 * Pure. Tested in campaigns.test.ts.
 */
import { aiEdgeDefaults, createWeights, type Path, probabilityWeights, shortestSimplePaths } from '@parapet/graph'
import type { CampaignStep, Chain, NewCampaign, strategies } from '../declared/campaign-schema.ts'
import { type Attacker, actsOn } from '../model/edge.ts'
import { buildNetwork, type TwinNetwork } from '../model/network.ts'
import type { TwinState } from '../model/state.ts'

export interface ChainsInput {
  readonly state: TwinState
  readonly attacker: Attacker
  readonly body: NewCampaign
  /** Of a template; null where the body says the steps or the graph gives them. */
  readonly template: readonly { readonly name: string; readonly technique: string }[] | null
}

type GivenStep = NonNullable<NewCampaign['steps']>[number]
type Strategy = (typeof strategies)[number]

/** Alternative chains that an attacker draws from by their weight. */
const mostChains = 10
const fallback = { probability: 0.5, hours: 8 }
const standing = { detected_on_failure: 0.1, detected_on_success: 0 }

/** Empty where the graph has no way from the start to the goal. */
export function chainsOf({ state, attacker, body, template }: ChainsInput): Chain[] {
  const sourceIds = body.start_id === undefined ? null : [body.start_id]
  const net = buildNetwork({ state, attacker, sourceIds })
  const given = body.steps ?? template
  if (given !== null) return [{ weight: 1, steps: given.map((step, index) => stepOf(net, body, step, index)) }]
  return pathChains(net, state, body)
}

function stepOf(net: TwinNetwork, { defender = {} }: NewCampaign, step: GivenStep, index: number): CampaignStep {
  const technique = step.technique ?? null
  const seen = technique === null ? null : seenInGraph(net, technique)
  const modeled = technique === null ? undefined : aiEdgeDefaults[technique]
  const basis = step.probability !== undefined ? 'given' : seen !== null ? seen.basis : 'model'
  return {
    name: step.name ?? technique ?? `Step ${index + 1}`,
    technique,
    probability: step.probability ?? seen?.probability ?? modeled ?? fallback.probability,
    basis,
    mean_hours: step.mean_hours ?? seen?.hours ?? fallback.hours,
    hours_law: step.hours_law ?? 'exponential',
    detected_on_failure: step.detected_on_failure ?? defender.detected_on_failure ?? standing.detected_on_failure,
    detected_on_success: step.detected_on_success ?? defender.detected_on_success ?? standing.detected_on_success,
    covered: technique !== null && isCovered(net, technique),
  }
}

interface Seen {
  readonly probability: number
  readonly hours: number
  readonly basis: 'graph' | 'measured'
}

/** The most probable step of the technique, or of one of its sub-techniques, in the graph. */
function seenInGraph({ edges }: TwinNetwork, technique: string): Seen | null {
  let best: Seen | null = null
  for (const { estimate } of edges) {
    if (estimate === null || !actsOn({ techniques: [technique] }, estimate.technique)) continue
    if (best !== null && best.probability >= estimate.p) continue
    const basis = estimate.basis === 'measured' ? 'measured' : 'graph'
    best = { probability: estimate.p, hours: Math.max(0.01, estimate.hours), basis }
  }
  return best
}

const isCovered = ({ nodes }: TwinNetwork, technique: string): boolean =>
  nodes.some(
    (node) =>
      node?.controls.some((control) => control.efficacy * control.coverage > 0 && actsOn(control, technique)) ?? false,
  )

function pathChains(net: TwinNetwork, state: TwinState, body: NewCampaign): Chain[] {
  const goals =
    body.goal_id === undefined ? state.nodes.filter((node) => node.crown_jewel).map(({ id }) => id) : [body.goal_id]
  const strategy: Strategy = body.strategy ?? 'most_probable'
  const count = strategy === 'weighted' ? mostChains : 1
  const found = goals.flatMap((id) => {
    const goal = net.numberOf.get(id)
    return goal === undefined ? [] : pathsTo(net, goal, { strategy, count })
  })
  const rank = (path: Path) => (strategy === 'least_effort' ? hoursOf(net, path) : -probabilityOf(net, path))
  return found
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, count)
    .map((path) => ({ weight: Math.max(1e-12, probabilityOf(net, path)), steps: stepsOf(net, path, body) }))
    .filter(({ steps }) => steps.length > 0)
}

interface Wanted {
  readonly strategy: Strategy
  readonly count: number
}

function pathsTo(net: TwinNetwork, goal: number, { strategy, count }: Wanted): Path[] {
  const { graph, probabilities } = net.network
  const weights =
    strategy === 'least_effort'
      ? createWeights(
          graph,
          Float64Array.from(net.edges, ({ estimate }, edge) =>
            (probabilities[edge] ?? 0) === 0 ? Number.POSITIVE_INFINITY : (estimate?.hours ?? 0),
          ),
        )
      : probabilityWeights(graph, probabilities)
  const paths: Path[] = []
  for (const path of shortestSimplePaths(graph, weights, net.attacker, goal)) if (paths.push(path) === count) break
  return paths
}

const probabilityOf = ({ network }: TwinNetwork, { edges }: Path): number =>
  edges.reduce((p, edge) => p * (network.probabilities[edge] ?? 0), 1)

const hoursOf = (net: TwinNetwork, { edges }: Path): number =>
  edges.reduce((sum, edge) => sum + (net.edges[edge]?.estimate?.hours ?? 0), 0)

function stepsOf(net: TwinNetwork, { edges }: Path, body: NewCampaign): CampaignStep[] {
  const { defender = {} } = body
  return edges.flatMap((edge) => {
    const { relation = null, estimate = null } = net.edges[edge] ?? {}
    if (relation === null || estimate === null) return []
    const target = net.nodes[net.numberOf.get(relation.to) ?? -1]
    return [
      {
        ...{ name: `${relation.kind} ${target?.name ?? ''}`.slice(0, 300), technique: estimate.technique || null },
        ...{
          probability: estimate.p,
          basis: estimate.basis === 'measured' ? ('measured' as const) : ('graph' as const),
        },
        ...{ mean_hours: Math.max(0.01, estimate.hours), hours_law: 'exponential' as const },
        detected_on_failure: defender.detected_on_failure ?? standing.detected_on_failure,
        detected_on_success: defender.detected_on_success ?? standing.detected_on_success,
        covered: estimate.stopped > 0,
      },
    ]
  })
}
