/**
 * The guard over tenants that an experiment does not aim at: their calls must not fail more often or take much longer than
 * before it began. Promises that nobody learns a figure of another tenant: the journal says whether it held. Tested in
 * others.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Clock } from '../../../kernel/base/clock.ts'
import type { GatewayApi, Traffic } from '../../gateway/api.ts'
import type { ProbeResult } from './probes.ts'

/** Its name in journals and causes. */
export const othersGuard = 'other tenants'

/** Seconds before the faults that are compared with, and seconds of each look. */
const baselineSeconds = 300
const lookSeconds = 30
/** Fewer calls say nothing. */
const leastCalls = 20
/** Share of failed calls above that of before, and latency beyond that of before, from which others are harmed. */
const mostMoreFailures = 0.05
const mostTimesSlower = 3
const leastSlowerMs = 1_000

/** Takes the state before the faults; gives the look. */
export async function watchOthers(
  { gateway, clock }: { readonly gateway: Pick<GatewayApi, 'trafficOfOthers'>; readonly clock: Pick<Clock, 'now'> },
  tenantId: TenantId,
): Promise<() => Promise<ProbeResult>> {
  const begunMs = clock.now()
  const before = await gateway.trafficOfOthers(tenantId, baselineSeconds)
  return async () => {
    // A failure that was there before is none of the experiment's.
    const seconds = Math.min(lookSeconds, (clock.now() - begunMs) / 1000)
    const now = await gateway.trafficOfOthers(tenantId, seconds)
    return { name: othersGuard, value: null, within: !isHarmed(before, now), hard: false, fault: null }
  }
}

/** Whether others fare worse than before; too few calls harm nobody. */
export function isHarmed(before: Traffic, now: Traffic): boolean {
  if (now.calls < leastCalls) return false
  const usual = before.calls < leastCalls ? 0 : before.failed / before.calls
  if (now.failed / now.calls > usual + mostMoreFailures) return true
  if (before.calls < leastCalls || before.p95Ms === null || now.p95Ms === null) return false
  return now.p95Ms > Math.max(before.p95Ms * mostTimesSlower, before.p95Ms + leastSlowerMs)
}
