import type { TenantId } from '../access/actor.ts'
import { apiErrors } from '../errors/errors.ts'
import type { Kernel } from '../kernel.ts'
import { perMinute, requestQuotaKey } from '../limits/per-minute.ts'
import type { LimitDecision, LimitRule } from '../limits/port.ts'
import type { RateClass } from '../limits/rate-class.ts'
import { rateLimits } from '../settings/kernel-settings.ts'
import type { Call } from './call.ts'

interface Counted {
  readonly key: string
  readonly by: LimitRule
}

/**
 * Prepares the check of one class; counted before the work, per tenant, or per address without a credential. The
 * tenant's quota and a key's own limit count requests of every class.
 */
export function rateCheck(kernel: Kernel, rateClass: RateClass): (call: Call) => undefined | Promise<undefined> {
  const setting = rateLimits[rateClass]
  const classRule = (tenantId: TenantId | null): LimitRule => perMinute(kernel.settings.get(setting, tenantId))
  const settle = (call: Call, decision: LimitDecision): undefined => {
    if (call.limit === null || !decision.allowed) call.limit = decision
    if (!decision.allowed) throw refused(decision)
  }
  const take = (call: Call, { key, by }: Counted): undefined | Promise<undefined> => {
    const decision = kernel.limits.take(key, by)
    return decision instanceof Promise ? decision.then((later) => settle(call, later)) : settle(call, decision)
  }
  const takeRest = async (first: Promise<undefined>, call: Call, rest: readonly Counted[]): Promise<undefined> => {
    await first
    for (const counted of rest) await take(call, counted)
  }
  return (call) => {
    const wanted = countedFor(call, rateClass, classRule)
    for (const [index, counted] of wanted.entries()) {
      const done = take(call, counted)
      if (done instanceof Promise) return takeRest(done, call, wanted.slice(index + 1))
    }
  }
}

/** In the order in which they are counted. */
function countedFor(
  { actor, ip }: Call,
  rateClass: RateClass,
  classRule: (tenantId: TenantId | null) => LimitRule,
): readonly Counted[] {
  if (actor === null) return [{ key: `{address}:${rateClass}:${ip}`, by: classRule(null) }]
  const { tenantId, tenantRequestsPerMinute: quota, rateLimitPerMinute: own, keyId } = actor
  const counted: Counted[] = [{ key: `{${tenantId}}:${rateClass}`, by: classRule(tenantId) }]
  if (quota !== null) counted.push({ key: requestQuotaKey(tenantId), by: perMinute(quota) })
  if (own !== null && keyId !== null) counted.push({ key: `{${tenantId}}:key:${keyId}`, by: perMinute(own) })
  return counted
}

function refused(decision: LimitDecision) {
  const seconds = Math.max(1, Math.ceil(decision.retryAfterMs / 1000))
  return apiErrors.rateLimited({ seconds }).withHeaders({ 'retry-after': String(seconds) })
}
