import type { Actor, TenantId } from '../access/actor.ts'
import { apiErrors } from '../errors/errors.ts'
import type { Kernel } from '../kernel.ts'
import { fairShare, perMinute, requestQuotaKey } from '../limits/per-minute.ts'
import type { LimitDecision, LimitRule } from '../limits/port.ts'
import type { RateClass } from '../limits/rate-class.ts'
import { rateLimits } from '../settings/kernel-settings.ts'
import type { Call } from './call.ts'

interface Counted {
  readonly key: string
  readonly by: LimitRule
  /** Told to the caller only where it refuses. */
  readonly isShare?: true
}

type ClassRule = (tenantId: TenantId | null) => LimitRule

/** The class in which a call is counted: calls that are refused for want of rights have windows of their own. */
export type Counting = 'allowed' | 'refused'

/**
 * Prepares the check of one class; counted before the work, or by address without a credential. A tenant's window is
 * shared, but no caller can use it up alone; the quotas of the tenant and of
 * those above it and a key's own limit count requests of every class.
 */
export function rateCheck(
  kernel: Kernel,
  rateClass: RateClass,
): (call: Call, counting?: Counting) => undefined | Promise<undefined> {
  const setting = rateLimits[rateClass]
  const classRule: ClassRule = (tenantId) => perMinute(kernel.settings.get(setting, tenantId))
  const settle = (call: Call, decision: LimitDecision, isShare = false): undefined => {
    if ((call.limit === null && !isShare) || !decision.allowed) call.limit = decision
    if (!decision.allowed) throw refused(decision)
  }
  const take = (call: Call, { key, by, isShare }: Counted): undefined | Promise<undefined> => {
    const decision = kernel.limits.take(key, by)
    return decision instanceof Promise
      ? decision.then((later) => settle(call, later, isShare))
      : settle(call, decision, isShare)
  }
  const takeRest = async (first: Promise<undefined>, call: Call, rest: readonly Counted[]): Promise<undefined> => {
    await first
    for (const counted of rest) await take(call, counted)
  }
  return (call, counting = 'allowed') => {
    const { actor, ip } = call
    const wanted =
      actor === null
        ? [{ key: `{address}:${rateClass}:${ip}`, by: classRule(null) }]
        : [...countedFor(actor, { rateClass, classRule, counting }), ...ownLimits(actor)]
    for (const [index, counted] of wanted.entries()) {
      const done = take(call, counted)
      if (done instanceof Promise) return takeRest(done, call, wanted.slice(index + 1))
    }
  }
}

interface Window {
  readonly rateClass: RateClass
  readonly classRule: ClassRule
  readonly counting: Counting
}

/**
 * In the order in which they are counted. A caller's share comes before the tenant's window, so that calls above it take
 * nothing from the others.
 */
function countedFor(
  { tenantId, userId, tenantRequestsPerMinute: quota, tenantsAbove = [] }: Actor,
  { rateClass, classRule, counting }: Window,
): readonly Counted[] {
  const rule = classRule(tenantId)
  if (counting === 'refused') return [{ key: `{${tenantId}}:refused:${userId}`, by: rule }]
  if (rateClass === 'stop') return [{ key: `{${tenantId}}:stop:${userId}`, by: rule }]
  const shared = { key: `{${tenantId}}:${rateClass}`, by: rule }
  const counted = [...shareOf(userId, shared), shared]
  const quotas = [{ id: tenantId, requestsPerMinute: quota }, ...tenantsAbove]
  const bounds = quotas.flatMap(({ id, requestsPerMinute: limit }) =>
    limit === null ? [] : [{ key: requestQuotaKey(id), by: perMinute(limit) }],
  )
  return [...counted, ...bounds.flatMap((whole) => [...shareOf(userId, whole), whole])]
}

function shareOf(userId: string, { key, by }: Counted): readonly Counted[] {
  const limit = fairShare(by.limit)
  return limit === by.limit ? [] : [{ key: `${key}:of:${userId}`, by: { ...by, limit }, isShare: true }]
}

/** Limits of the key and of those it was made with. */
function ownLimits({ tenantId, keyId, rateLimitPerMinute, keyAncestors = [] }: Actor): readonly Counted[] {
  const keys = keyId === null ? [] : [{ id: keyId, rateLimitPerMinute }, ...keyAncestors]
  return keys.flatMap(({ id, rateLimitPerMinute: limit }) =>
    limit === null ? [] : [{ key: `{${tenantId}}:key:${id}`, by: perMinute(limit) }],
  )
}

function refused(decision: LimitDecision) {
  const seconds = Math.max(1, Math.ceil(decision.retryAfterMs / 1000))
  return apiErrors.rateLimited({ seconds }).withHeaders({ 'retry-after': String(seconds) })
}
