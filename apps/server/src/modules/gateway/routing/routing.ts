/**
 * Orders targets and keeps the state for that: turns, load and latency of each, remaining retries and hedges. Belongs
 * to one process. Tested in strategies.test.ts and through upstream-routes.test.ts.
 */

import type { Kernel } from '../../../kernel/kernel.ts'
import type { WithFacts } from '../call/facts.ts'
import type { WithMoney } from '../money/call-money.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { costOfMeter } from '../prices/cost.ts'
import { isOffline, type Target, targetKey } from '../providers/provider.ts'
import type { Route } from '../route-model/route.ts'
import { countInput } from '../tokens/bounds.ts'
import { createShare, type Share } from './share.ts'
import { inOrder } from './strategies.ts'
import { createTraffic, type Traffic } from './traffic.ts'
import { createTurns, type Turns } from './turns.ts'

export interface Routing {
  readonly traffic: Traffic
  /** Second tries at one provider. */
  readonly retries: Share
  readonly hedges: Share
  /** The targets in the order in which the call's route wants them asked; as they are where it has none. */
  order(state: WithFacts & WithPlan & WithMoney, targets: readonly Target[]): readonly Target[]
}

/** A provider that fails gets a fifth more calls from retries and no more; a quiet one may have one a second. */
const retryRule = { share: 0.2, windowMs: 10_000, always: 10 }
/** Of all calls of a route; counted for long, so that a quiet route may hedge too. */
const hedgeRule = { share: 0.05, windowMs: 3_600_000, always: 0 }
/** Maximum number of routes whose turns are kept; the oldest is dropped. */
const mostRoutes = 10_000

export function createRouting({ clock, random }: Pick<Kernel, 'clock' | 'random'>): Routing {
  const traffic = createTraffic(clock)
  const held = new Map<string, Turns>()
  const turnsOf = ({ id, version }: Route): Turns => {
    const key = `${id}:${version}`
    const turns = held.get(key) ?? createTurns()
    held.set(key, turns)
    const [oldest] = held.keys()
    if (held.size > mostRoutes && oldest !== undefined) held.delete(oldest)
    return turns
  }
  return {
    traffic,
    retries: createShare(clock, retryRule),
    hedges: createShare(clock, hedgeRule),
    order: (state, targets) => {
      const {
        plan: { route },
      } = state
      if (route === null || targets.length < 2) return targets
      const form = state.facts.asked.stream ? 'stream' : 'whole'
      const candidates = targets.map((target) => ({
        target,
        key: targetKey(target),
        weight: target.place?.weight ?? 1,
        priority: target.place?.priority ?? 0,
      }))
      const costs = new Map(candidates.map(({ key, target }) => [key, target]))
      const ordered = inOrder(route.strategy, candidates, {
        turns: turnsOf(route),
        latencyMs: (key) => traffic.expectedMs(key, form),
        inFlight: traffic.inFlight,
        cost: (key) => expectedCost(state, costs.get(key)),
        stickyKey: stickyKeyOf(state, route),
        fraction: () => random.fraction(),
      })
      return ordered.map(({ target }) => target)
    },
  }
}

/**
 * Without better data, answers are assumed to be as long as their prompts; it only matters that all targets are
 * estimated alike.
 */
function expectedCost(state: WithFacts & WithPlan & WithMoney, target: Target | undefined): bigint | null {
  if (target === undefined || isOffline(target.provider)) return null
  const price = state.money.prices?.find(target, state.facts.startedAt) ?? null
  if (price === null) return null
  const { about } = countInput(state.plan.call)
  const output = state.plan.call.embed === null ? Math.min(about, state.plan.call.maxTokens ?? about) : 0
  return costOfMeter(price.sheet, { input: about, output, request: 1 }, state.plan.call.serviceTier)
}

function stickyKeyOf({ facts }: WithFacts, { stickyKey }: Route): string {
  const { actor, asked } = facts
  const named = {
    session: asked.metadata.session_id ?? actor.sessionId,
    user: actor.userId,
    key: actor.keyId,
    agent: asked.agentId,
  }
  const prefix = 'metadata.'
  const value = stickyKey.startsWith(prefix)
    ? asked.metadata[stickyKey.slice(prefix.length)]
    : named[stickyKey as keyof typeof named]
  return value ?? actor.userId
}
