import type { TenantId } from '../auth/actor.ts'
import type { Kernel } from '../kernel.ts'
import type { LimitDecision, LimitRule } from '../limits/port.ts'
import type { RateClass } from '../route.ts'
import { rateLimits } from '../settings/kernel-settings.ts'
import type { Call } from './call.ts'
import { apiErrors } from './errors.ts'

const windowMs = 60_000

/** Prepares the check of one class; counted before the work, per tenant, or per address without a credential. */
export function rateCheck(kernel: Kernel, rateClass: RateClass): (call: Call) => undefined | Promise<undefined> {
  const setting = rateLimits[rateClass]
  const rules = new Map<number, LimitRule>()
  const ruleOf = (perMinute: number): LimitRule => {
    const known = rules.get(perMinute) ?? { limit: perMinute, windowMs }
    rules.set(perMinute, known)
    return known
  }
  const classRule = (tenantId: TenantId | null): LimitRule => ruleOf(kernel.settings.get(setting, tenantId))
  const settle = (call: Call, decision: LimitDecision): undefined => {
    if (call.limit === null || !decision.allowed) call.limit = decision
    if (!decision.allowed) throw refused(decision)
  }
  const take = (call: Call, key: string, by: LimitRule): undefined | Promise<undefined> => {
    const decision = kernel.limits.take(key, by)
    return decision instanceof Promise ? decision.then((later) => settle(call, later)) : settle(call, decision)
  }
  return (call) => {
    const { actor } = call
    if (actor === null) return take(call, `{address}:${rateClass}:${call.ip}`, classRule(null))
    const done = take(call, `{${actor.tenantId}}:${rateClass}`, classRule(actor.tenantId))
    if (actor.rateLimitPerMinute === null || actor.keyId === null) return done
    const key = `{${actor.tenantId}}:key:${actor.keyId}`
    const own = ruleOf(actor.rateLimitPerMinute)
    return done instanceof Promise ? done.then(() => take(call, key, own)) : take(call, key, own)
  }
}

function refused(decision: LimitDecision) {
  const seconds = Math.max(1, Math.ceil(decision.retryAfterMs / 1000))
  return apiErrors.rateLimited({ seconds }).withHeaders({ 'retry-after': String(seconds) })
}
