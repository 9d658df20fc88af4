/** Whether data of a class may be sent to a destination for an actor. Tested in functions.test.ts. */

import { isCleared } from '../inspection/data-class.ts'
import { callPlan } from '../plan/asked-targets.ts'
import { killSubject, killSwitchProblem, staleListProblem } from '../plan/kill-subjects.ts'
import { targetRefusal } from '../plan/target-refusal.ts'
import { callerPolicies } from '../policy/callers.ts'
import type { Target } from '../providers/provider.ts'
import { meantForClass, worksWhereMeant } from '../route-model/conditions.ts'
import type { GatewayServices } from '../services/gateway-services.ts'
import type { Classification } from '../words/policy-words.ts'
import type { Asker, Clearance, Destination } from './gateway-api.ts'

/** @throws GW-001, GW-002, GW-018 */
export async function providerClearance(
  { aegis, snapshots }: GatewayServices,
  { actor }: Asker,
  { where, dataClass }: { readonly where: Destination; readonly dataClass: Classification },
): Promise<Clearance> {
  const snapshot = await snapshots.get(actor.tenantId)
  const asked = { provider: where.provider ?? null, model: where.model ?? null, policy: where.policy_id ?? null }
  const { route, targets } = callPlan(snapshot, actor, asked)
  const policy = callerPolicies(snapshot, { ...actor, routeId: route?.id ?? null }, asked.policy)
  const refusalOf = (target: Target): string | null => {
    const { provider, model, place } = target
    if (!aegis.killListFresh()) return staleListProblem().message
    const named = { provider: provider.name, model, route: route?.name ?? null }
    const stopped = aegis.matchKillSwitch(killSubject(actor, named))
    if (stopped !== null) return killSwitchProblem(stopped, actor).message
    const refused = targetRefusal(target, policy.effective)
    if (refused !== null) return refused.what
    if (!meantForClass(place?.conditions, dataClass) || !worksWhereMeant(place?.conditions ?? {}, target))
      return `The route ${route?.name ?? ''} is not for such data there.`
    return isCleared(policy, target, dataClass) ? null : `Data of the class ${dataClass} may not be sent there.`
  }
  const judged = targets.map((target) => ({
    provider: target.provider.name,
    model: target.model,
    refusal: refusalOf(target),
  }))
  return { cleared: judged.some(({ refusal }) => refusal === null), targets: judged }
}
