import { createHash } from 'node:crypto'
import type { ValkeyClient } from '../../valkey/connection.ts'
import { checkTake, exactUpTo, type LimitDecision, type Limiter, type LimitRule } from '../port.ts'
import { createMemoryLimiter } from './memory.ts'
import { logScript, ringScript } from './valkey-scripts.ts'

export interface ValkeyLimiter extends Limiter {
  take(key: string, rule: LimitRule, cost?: number): Promise<LimitDecision>
  peek(key: string, rule: LimitRule, cost?: number): Promise<LimitDecision>
  close(): void
  /** True while decisions are made from this process's share because the server does not answer. */
  isLocal(): boolean
}

export interface ValkeyLimiterOptions {
  /** From `connectValkey`; the caller closes it. */
  readonly client: ValkeyClient
  /** Milliseconds of the Unix epoch. */
  readonly now: () => number
  /**
   * The clock that decides: 'server' (default) so that instances with different clocks still share one window, or
   * 'caller' (`now`) where every instance is known to have the same.
   */
  readonly clock?: 'server' | 'caller'
  /** Put before every key (default `parapet:limit:`). */
  readonly prefix?: string
  /** Instances that share the limits (default 1); without the server each grants its fraction of every limit, at least 1. */
  readonly instances?: () => number
  /** Told of every failed check. */
  readonly onError: (error: unknown) => void
}

interface Check {
  readonly key: string
  readonly rule: LimitRule
  readonly cost: number
  readonly taking: boolean
}

// One call a second finds out whether the server is back; the others do not wait for it.
const retryEveryMs = 1_000

/**
 * A limiter shared by all instances: one script per check. When the server does not answer, decisions come from this
 * process's share of the limit and go back to the server by themselves. Units granted on one side are unknown to the
 * other, so the window in which the change happens can hold the limit plus the shares.
 */
export function createValkeyLimiter(options: ValkeyLimiterOptions): ValkeyLimiter {
  const { client, now, instances = () => 1, onError } = options
  const local = createMemoryLimiter({ now })
  const askServer = scriptRunner(options)
  let localUntil = Number.NEGATIVE_INFINITY

  async function check(ask: Check): Promise<LimitDecision> {
    checkTake(ask.rule, ask.cost)
    if (isLocal()) return decideLocally(ask)
    try {
      return await askServer(ask)
    } catch (error) {
      localUntil = now() + retryEveryMs
      onError(error)
      return decideLocally(ask)
    }
  }

  function decideLocally({ key, rule, cost, taking }: Check): LimitDecision {
    const share = Math.max(Math.min(rule.limit, 1), Math.floor(rule.limit / Math.max(1, instances())))
    const shared = { limit: share, windowMs: rule.windowMs }
    const decision = taking ? local.take(key, shared, cost) : local.peek(key, shared, cost)
    return { ...decision, limit: rule.limit }
  }

  function isLocal(): boolean {
    // A clock that was set back must not keep the limiter local for longer than the pause.
    const pausing = now() < localUntil && localUntil - now() <= retryEveryMs
    return pausing || client.status !== 'ready'
  }

  return {
    take: (key, rule, cost = 1) => check({ key, rule, cost, taking: true }),
    peek: (key, rule, cost = 1) => check({ key, rule, cost, taking: false }),
    close: () => local.close(),
    isLocal,
  }
}

const scripts = { log: withHash(logScript), ring: withHash(ringScript) }

function scriptRunner({ client, now, clock = 'server', prefix = 'parapet:limit:' }: ValkeyLimiterOptions) {
  return async ({ key, rule, cost, taking }: Check): Promise<LimitDecision> => {
    const script = rule.limit <= exactUpTo ? scripts.log : scripts.ring
    const at = clock === 'caller' ? now() : ''
    const values = [prefix + key, rule.limit, rule.windowMs, cost, taking ? 1 : 0, at]
    const answer = await client.evalsha(script.sha1, 1, ...values).catch((error: unknown) => {
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return client.eval(script.text, 1, ...values)
      throw error
    })
    return readAnswer(answer, rule)
  }
}

function readAnswer(answer: unknown, rule: LimitRule): LimitDecision {
  if (!Array.isArray(answer)) throw new TypeError('The limit script gave no list.')
  const [allowed, used, resetAtMs, retryAfterMs] = answer.map(Number)
  if (allowed === undefined || used === undefined || resetAtMs === undefined || retryAfterMs === undefined) {
    throw new TypeError('The limit script gave too short a list.')
  }
  return {
    allowed: allowed === 1,
    limit: rule.limit,
    remaining: Math.max(0, rule.limit - used),
    resetAtMs,
    retryAfterMs,
  }
}

function withHash(text: string): { readonly text: string; readonly sha1: string } {
  return { text, sha1: createHash('sha1').update(text).digest('hex') }
}
