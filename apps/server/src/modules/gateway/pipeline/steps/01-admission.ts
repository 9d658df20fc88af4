import { apiErrors } from '../../../../kernel/errors/errors.ts'
import type { Asked } from '../../call/asked.ts'
import type { CanonicalCall } from '../../call/call.ts'
import type { WithFacts } from '../../call/facts.ts'
import { mostHops } from '../../call/hops.ts'
import { falseBytes } from '../../call/texts/media-bytes.ts'
import type { Writes } from '../../call/writes.ts'
import { errors } from '../../declared/errors.ts'
import { callPlan } from '../../plan/asked-targets.ts'
import type { WithPlan } from '../../plan/call-plan.ts'
import type { TenantSnapshot } from '../../policy/snapshot.ts'
import type { Target } from '../../providers/provider.ts'
import { conditionsHold, staysWhereMeant, worksWhereMeant } from '../../route-model/conditions.ts'
import { countInput } from '../../tokens/bounds.ts'
import type { Step } from '../contract/step.ts'
import { inTime } from '../progress/in-time.ts'
import { allow, type StepOutcome } from '../progress/outcome.ts'
import type { PipelineParts } from './parts.ts'

type Reads = 'facts' | 'plan' | 'progress'
type Changed = 'plan'

/**
 * Request → canonical call and the targets that could answer it. The kernel has already checked body, caller and
 * idempotency.
 */
export function admission(parts: PipelineParts): Step<Reads, Changed> {
  const admit = (state: WithFacts & WithPlan & Writes<WithPlan>, snapshot: TenantSnapshot): StepOutcome => {
    const { asked } = state.facts
    state.write({ plan: { snapshot } })
    refuseLoop(state.facts.hops)
    refuseOtherAgent(asked)
    state.write({ plan: { call: asked.read() } })
    refuseFalseBytes(state.plan.call)
    const { route, targets } = callPlan(snapshot, state.facts.actor, asked)
    state.write({ plan: { route } })
    state.write({ plan: { targets: meantFor(state, targets, parts.kernel.clock.now()) } })
    return allow
  }
  return {
    n: 1,
    name: 'admission',
    budgetMs: 0.3,
    limitMs: longestLoadMs,
    onFailure: 'closed',
    run: (state) => {
      const snapshot = parts.snapshots.get(state.facts.tenantId)
      if (snapshot instanceof Promise) return inTime(state, 1, snapshot).then((loaded) => admit(state, loaded))
      return admit(state, snapshot)
    },
  }
}

/** The first call of a tenant reads its configuration; a database that takes longer is as good as away. */
const longestLoadMs = 10_000

/** @throws GW-034 */
function refuseLoop(hops: number): void {
  if (hops > mostHops) throw errors.loopDetected({ most: mostHops })
}

/** @throws API-001 */
function refuseOtherAgent({ agentId, saidAgentId }: Asked): void {
  if (saidAgentId === null || saidAgentId === agentId) return
  const what = 'agent_id must be the agent of the credential: the service account whose key it is.'
  throw apiErrors.validation({ what }).at([{ detail: what, pointer: '/agent_id' }])
}

/** @throws API-001 */
function refuseFalseBytes(call: CanonicalCall): void {
  const places = falseBytes(call)
  if (places.length === 0) return
  const detail = 'What this part holds is no base64.'
  throw apiErrors.validation({ what: detail }).at(places.slice(0, 20).map((pointer) => ({ detail, pointer })))
}

/** The targets that take calls like this one. @throws GW-001 */
function meantFor(state: WithFacts & WithPlan, targets: readonly Target[], now: number): readonly Target[] {
  if (targets.every(({ place }) => (place?.conditions ?? null) === null)) return targets
  const { actor, asked } = state.facts
  const facts = {
    operation: asked.operation,
    keyId: actor.keyId,
    agentId: asked.agentId,
    tags: asked.tags,
    metadata: asked.metadata,
    inputTokens: () => countInput(state.plan.call).about,
    now,
  }
  const meant = targets.filter((target) => {
    const conditions = target.place?.conditions ?? {}
    const isThere = worksWhereMeant(conditions, target) && staysWhereMeant(conditions, target, state.plan.call)
    return isThere && conditionsHold(conditions, facts)
  })
  if (meant.length === 0)
    throw errors.unknownTarget({
      what: `No target of the route ${state.plan.route?.name ?? ''} is meant for this call.`,
    })
  return meant
}
