import type { Kernel } from '../kernel.ts'
import type { LimitDecision, LimitRule } from '../limits/port.ts'
import type { RateClass } from '../route.ts'
import type { Call } from './call.ts'
import { apiErrors } from './errors.ts'

const windowMs = 60_000

function ruleOf(kernel: Kernel, rateClass: RateClass): LimitRule {
  const { config } = kernel
  const limits: Record<RateClass, number> = {
    api: config.rateLimitApi,
    inference: config.rateLimitInference,
    expensive: config.rateLimitExpensive,
    credential: config.rateLimitCredential,
  }
  return { limit: limits[rateClass], windowMs }
}

/** Prepares the check of one class; counted before the work, per tenant, or per address without a credential. */
export function rateCheck(kernel: Kernel, rateClass: RateClass): (call: Call) => undefined | Promise<undefined> {
  const rule = ruleOf(kernel, rateClass)
  const keyRules = new Map<number, LimitRule>()
  const ruleOfKey = (perMinute: number): LimitRule => {
    const known = keyRules.get(perMinute) ?? { limit: perMinute, windowMs }
    keyRules.set(perMinute, known)
    return known
  }
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
    if (actor === null) return take(call, `{address}:${rateClass}:${call.ip}`, rule)
    const done = take(call, `{${actor.tenantId}}:${rateClass}`, rule)
    if (actor.rateLimitPerMinute === null || actor.keyId === null) return done
    const key = `{${actor.tenantId}}:key:${actor.keyId}`
    const own = ruleOfKey(actor.rateLimitPerMinute)
    return done instanceof Promise ? done.then(() => take(call, key, own)) : take(call, key, own)
  }
}

function refused(decision: LimitDecision) {
  const seconds = Math.max(1, Math.ceil(decision.retryAfterMs / 1000))
  return apiErrors.rateLimited({ seconds }).withHeaders({ 'retry-after': String(seconds) })
}
