/**
 * Order in which targets are asked. Each strategy is a function of its arguments and keeps nothing; `weighted` keeps
 * its turns in an argument. Priorities come before all of them: a later tier is used only when the previous one failed.
 * Tested in strategies.test.ts.
 */
import type { Candidate, Strategy } from '../route-model/strategy.ts'
import { rendezvousOrder } from './rendezvous.ts'
import type { Turns } from './turns.ts'

/** Facts that the strategies use; each reads only its own. */
export interface OrderFacts {
  readonly turns: Turns
  /** Expected wait for the first content in milliseconds; 0 when nothing is known yet. */
  readonly latencyMs: (key: string) => number
  /** Expected cost of the call; null when unknown. */
  readonly cost: (key: string) => bigint | null
  readonly inFlight: (key: string) => number
  readonly stickyKey: string
  /** Uniform in [0, 1). */
  readonly fraction: () => number
}

/** The candidates in the order in which they are asked. */
export function inOrder<C extends Candidate>(
  strategy: Strategy,
  candidates: readonly C[],
  facts: OrderFacts,
): readonly C[] {
  const tiers = new Map<number, C[]>()
  for (const candidate of candidates)
    tiers.set(candidate.priority, [...(tiers.get(candidate.priority) ?? []), candidate])
  const sorted = [...tiers].sort(([a], [b]) => a - b)
  return sorted.flatMap(([, tier]) => (tier.length === 1 ? tier : orderTier(strategy, tier, facts)))
}

function orderTier<C extends Candidate>(strategy: Strategy, tier: readonly C[], facts: OrderFacts): readonly C[] {
  switch (strategy) {
    case 'priority':
      return tier
    case 'weighted':
      return byTurns(tier, facts)
    case 'least_latency':
      return byLatency(tier, facts)
    case 'least_cost':
      return byCost(tier, facts)
    case 'least_busy':
      return byLoad(tier, facts)
    case 'sticky':
      return rendezvousOrder(tier, facts.stickyKey)
    default:
      return strategy satisfies never
  }
}

/** The next in turn, then the rest by weight: they are its fallbacks and get their own turns later. */
function byTurns<C extends Candidate>(tier: readonly C[], { turns }: OrderFacts): readonly C[] {
  const first = turns.next(tier)
  const rest = tier.filter((candidate) => candidate !== first).sort((a, b) => b.weight - a.weight)
  return first === null ? rest : [first, ...rest]
}

/**
 * The better of two drawn at random: as good as looking at all, and callers that decide at the same moment do not all
 * run to the same target.
 */
function byLatency<C extends Candidate>(tier: readonly C[], { latencyMs, fraction }: OrderFacts): readonly C[] {
  const one = Math.floor(fraction() * tier.length)
  const other = (one + 1 + Math.floor(fraction() * (tier.length - 1))) % tier.length
  const measured = tier.map((candidate, index) => ({
    candidate,
    ms: latencyMs(candidate.key),
    drawn: index === one || index === other,
  }))
  return measured
    .sort((a, b) => (a.drawn === b.drawn ? a.ms - b.ms : a.drawn ? -1 : 1))
    .map(({ candidate }) => candidate)
}

/** A target without a known price comes last: a price of zero would win every time. */
function byCost<C extends Candidate>(tier: readonly C[], { cost }: OrderFacts): readonly C[] {
  const priced = tier.map((candidate) => ({ candidate, cost: cost(candidate.key) }))
  return priced
    .sort((a, b) => {
      if (a.cost === b.cost) return 0
      if (a.cost === null || b.cost === null) return a.cost === null ? 1 : -1
      return a.cost < b.cost ? -1 : 1
    })
    .map(({ candidate }) => candidate)
}

function byLoad<C extends Candidate>(tier: readonly C[], { inFlight }: OrderFacts): readonly C[] {
  const load = ({ key, weight }: C): number => (weight === 0 ? Number.POSITIVE_INFINITY : inFlight(key) / weight)
  const loads = tier.map((candidate) => ({ candidate, load: load(candidate) }))
  return loads
    .sort((a, b) => (a.load === b.load ? b.candidate.weight - a.candidate.weight : a.load - b.load))
    .map(({ candidate }) => candidate)
}
