import { type Counter, createCounter, decide, decideUnused, fitCounter } from '../counter.ts'
import { checkTake, type LimitDecision, type Limiter, type LimitRule } from '../port.ts'
import { type Linked, UseOrder } from '../use-order.ts'

export interface MemoryLimiter extends Limiter {
  take(key: string, rule: LimitRule, cost?: number): LimitDecision
  peek(key: string, rule: LimitRule, cost?: number): LimitDecision
  close(): void
  /** Keys held, and how many were dropped while their units still counted because the limiter was full. */
  stats(): { readonly keys: number; readonly forgotten: number }
}

export interface MemoryLimiterOptions {
  /** Milliseconds of the Unix epoch. */
  readonly now: () => number
  /** Keys held at most (default 100,000; a ring takes about 0.5 KB). The longest idle is dropped first. */
  readonly maxKeys?: number
}

interface Entry extends Linked<Entry> {
  readonly key: string
  counter: Counter
  windowMs: number
}

/**
 * A limiter in this process that answers synchronously. A full limiter drops the key idle for longest; a caller who can
 * invent keys without bound could so make it forget others, hence `forgotten` belongs on a metric.
 */
export function createMemoryLimiter({ now, maxKeys = 100_000 }: MemoryLimiterOptions): MemoryLimiter {
  const entries = new Map<string, Entry>()
  const order = new UseOrder<Entry>()
  let forgotten = 0

  function take(key: string, rule: LimitRule, cost = 1): LimitDecision {
    checkTake(rule, cost)
    const at = now()
    const entry = entries.get(key) ?? insert(key, rule, at)
    order.use(entry)
    return decide(fitted(entry, rule, at), rule, { now: at, cost, taking: true })
  }

  function peek(key: string, rule: LimitRule, cost = 1): LimitDecision {
    checkTake(rule, cost)
    const at = now()
    const entry = entries.get(key)
    if (entry === undefined) return decideUnused(rule, at, cost)
    return decide(fitted(entry, rule, at), rule, { now: at, cost, taking: false })
  }

  function insert(key: string, rule: LimitRule, at: number): Entry {
    const { oldest } = order
    if (oldest !== null && (entries.size >= maxKeys || isSpent(oldest, at))) {
      if (!isSpent(oldest, at)) forgotten += 1
      order.remove(oldest)
      entries.delete(oldest.key)
    }
    const entry: Entry = { key, counter: createCounter(rule, at), windowMs: rule.windowMs, older: null, newer: null }
    entries.set(key, entry)
    order.add(entry)
    return entry
  }

  function close(): void {
    entries.clear()
    order.clear()
  }

  return { take, peek, close, stats: () => ({ keys: entries.size, forgotten }) }
}

function fitted(entry: Entry, rule: LimitRule, at: number): Counter {
  entry.counter = fitCounter(entry.counter, rule, at)
  entry.windowMs = rule.windowMs
  return entry.counter
}

// Two windows, because a ring looks back one slot further than the window.
const isSpent = (entry: Entry, at: number): boolean => at - entry.counter.latest >= 2 * entry.windowMs
