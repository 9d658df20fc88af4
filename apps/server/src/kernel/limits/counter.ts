/**
 * One key's counter: a log or a ring, chosen by the rule. When a rule changes shape or the clock jumps back by more than
 * a window, the units still counted are carried over as if taken now: the worse failure would be to grant them twice.
 */
import { createLog, logCharge, logEmptyAt, logUsed, logWait, type UnitLog } from './log.ts'
import { exactUpTo, type LimitDecision, type LimitRule } from './port.ts'
import { createRing, ringCharge, ringEmptyAt, ringUsed, ringWait, slotLength, type UnitRing } from './ring.ts'

export type Counter = UnitLog | UnitRing

/** An empty counter of the shape the rule asks for. */
export function createCounter(rule: LimitRule, now: number): Counter {
  return rule.limit <= exactUpTo ? createLog(now) : createRing(now, rule.windowMs)
}

/** The counter to use under this rule at this moment: the same one, or a new one with the units carried over. */
export function fitCounter(counter: Counter, rule: LimitRule, now: number): Counter {
  const clockJumpedBack = counter.latest - now > rule.windowMs
  if (!clockJumpedBack && shapeFits(counter, rule)) return counter
  const used = Math.min(usedUnits(counter, Math.max(now, counter.latest), rule.windowMs), rule.limit)
  const fresh = createCounter(rule, now)
  charge(fresh, now, used)
  return fresh
}

/**
 * Decides on `cost` units at `now` and takes them when `taking` and they fit.
 * A clock that stepped back a little is read as the latest moment seen, so stamps stay in order.
 */
export function decide(
  counter: Counter,
  rule: LimitRule,
  ask: { now: number; cost: number; taking: boolean },
): LimitDecision {
  const now = ask.now > counter.latest ? ask.now : counter.latest
  counter.latest = now
  let used = usedUnits(counter, now, rule.windowMs)
  const allowed = used + ask.cost <= rule.limit
  if (allowed && ask.taking && ask.cost > 0) {
    charge(counter, now, ask.cost)
    used += ask.cost
  }
  return {
    allowed,
    limit: rule.limit,
    remaining: used < rule.limit ? rule.limit - used : 0,
    resetAtMs: counter.kind === 'log' ? logEmptyAt(counter, now, rule.windowMs) : ringEmptyAt(counter, now),
    retryAfterMs: allowed ? 0 : waitFor(counter, rule, { now, cost: ask.cost, used }),
  }
}

/** The decision on a key that has no counter yet. */
export function decideUnused(rule: LimitRule, now: number, cost: number): LimitDecision {
  const allowed = cost <= rule.limit
  return {
    allowed,
    limit: rule.limit,
    remaining: rule.limit,
    resetAtMs: now,
    retryAfterMs: allowed ? 0 : rule.windowMs,
  }
}

function waitFor(counter: Counter, rule: LimitRule, at: { now: number; cost: number; used: number }): number {
  if (at.cost > rule.limit) return rule.windowMs
  const excess = at.used + at.cost - rule.limit
  return counter.kind === 'log' ? logWait(counter, at.now, excess, rule.windowMs) : ringWait(counter, at.now, excess)
}

const usedUnits = (counter: Counter, now: number, windowMs: number): number =>
  counter.kind === 'log' ? logUsed(counter, now, windowMs) : ringUsed(counter, now)

function charge(counter: Counter, now: number, cost: number): void {
  if (counter.kind === 'log') logCharge(counter, now, cost)
  else ringCharge(counter, cost)
}

function shapeFits(counter: Counter, rule: LimitRule): boolean {
  if (counter.kind === 'log') return rule.limit <= exactUpTo
  return rule.limit > exactUpTo && counter.slotMs === slotLength(rule.windowMs)
}
