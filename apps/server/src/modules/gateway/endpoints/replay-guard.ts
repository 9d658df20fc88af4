import type { Actor } from '../../../kernel/access/actor.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import type { AegisApi } from '../../aegis/api.ts'
import type { Asked } from '../call/asked.ts'
import { errors } from '../declared/errors.ts'
import { callPlan, type WhatIsAsked } from '../plan/asked-targets.ts'
import {
  type KillTarget,
  killSubject,
  killSwitchProblem,
  offeredTools,
  staleListProblem,
} from '../plan/kill-subjects.ts'
import type { TenantSnapshot, TenantSnapshots } from '../policy/snapshot.ts'

interface GuardParts {
  readonly aegis: AegisApi
  readonly snapshots: TenantSnapshots
}

interface Resent {
  readonly actor: Actor
  /** Includes its tools, if the call itself can be parsed. */
  readonly asked: WhatIsAsked & Partial<Pick<Asked, 'read'>>
  /** Provider and model of the answer that was stored for the first call. */
  readonly given: { readonly provider: string; readonly model: string }
}

/**
 * Step 2 for a call that is sent again with its `Idempotency-Key`: the stored answer is not sent again if a kill switch
 * now covers the request or the provider or model that answered it. @throws GW-010
 */
export async function guardReplay({ aegis, snapshots }: GuardParts, resent: Resent): Promise<void> {
  if (!aegis.killListFresh()) throw staleListProblem()
  const { actor, asked: wanted, given } = resent
  const tools = wanted.read === undefined ? [] : offeredTools(wanted.read())
  const targets = targetsOf(await snapshots.get(actor.tenantId), resent)
  const matched = targets.map((target) => ({
    target,
    found: aegis.matchKillSwitch(killSubject(actor, { ...target, tools })),
  }))
  const stopped = matched.filter(({ found }) => found !== null)
  // A new call could be answered by another provider, but that provider did not give this answer.
  const [first] =
    stopped.length === matched.length ? stopped : stopped.filter(({ target }) => target.provider === given.provider)
  const served = aegis.matchKillSwitch(killSubject(actor, { provider: given.provider, model: given.model, tools }))
  const named = { provider: given.provider, model: wanted.model, route: wanted.model, tools }
  const asked = aegis.matchKillSwitch(killSubject(actor, named))
  const found = first?.found ?? served ?? asked
  if (found !== null) throw killSwitchProblem(found, actor)
}

/** Targets that could answer now; none if the requested model or route no longer exists. */
function targetsOf(snapshot: TenantSnapshot, { actor, asked }: Resent): readonly KillTarget[] {
  try {
    const { route, targets } = callPlan(snapshot, actor, asked)
    return targets.map(({ provider, model }) => ({ provider: provider.name, model, route: route?.name ?? null }))
  } catch (error) {
    if (error instanceof ProblemError && goneCodes.includes(error.code)) return []
    throw error
  }
}

const goneCodes: readonly string[] = [
  errors.unknownTarget.code,
  errors.policyNotUsable.code,
  errors.noHealthyTarget.code,
]
