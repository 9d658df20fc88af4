/**
 * A policy's limits per window. Requests and input tokens are counted before the call, output tokens and cost after it:
 * the latter refuse calls once they are used up and can be exceeded by running calls; a limit that must never be
 * exceeded has to be a budget. Windows slide; with Valkey they are shared by all processes, but concurrent calls are
 * counted per process. Tested in limits.test.ts.
 */

import type { ProblemError } from '../../../kernel/errors/problem.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { LimitDecision, LimitRule } from '../../../kernel/limits/port.ts'
import type { WithLife } from '../admission/call-life.ts'
import type { Concurrency } from '../admission/concurrency.ts'
import type { WithFacts } from '../call/facts.ts'
import { errors } from '../declared/errors.ts'
import type { WithFindings } from '../findings/call-findings.ts'
import { note } from '../findings/findings.ts'
import type { WithProgress } from '../pipeline/progress/call-progress.ts'
import { inTime } from '../pipeline/progress/in-time.ts'
import { allow, blockByPolicy, type StepOutcome } from '../pipeline/progress/outcome.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import type { EffectivePolicy } from '../policy/merge.ts'
import { ceilDiv, nanoPerUnit } from '../prices/amounts.ts'
import { countInput } from '../tokens/bounds.ts'
import type { ExactCounts, TokenCounts } from '../tokens/exact-counts.ts'
import { callCost, type PaidCall } from './call-cost.ts'
import { usageOf } from './usage.ts'

type Limit = EffectivePolicy['limits'][number]

interface LimitParts {
  readonly kernel: Pick<Kernel, 'limits' | 'background'>
  readonly concurrency: Concurrency
  readonly tokenCounts: TokenCounts
}

/** Limits that apply to this call: a limit per agent does not apply to a call without an agent. */
function limitsOf({ plan: { policy }, facts }: WithFacts & WithPlan): readonly Limit[] {
  if (policy.effective.mode === 'off') return []
  return policy.effective.limits.filter(({ per }) => per !== 'agent' || facts.asked.agentId !== null)
}

export interface Peeked {
  /** The first exhausted limit. */
  readonly refused: Refused | null
  /** Number of input tokens of the call for limits. */
  readonly inputTokens: number
}

interface Refused {
  readonly limit: Limit
  readonly problem: ProblemError
}

/** Does not count anything yet. Tokens are estimated, and counted exactly if the estimate does not fit. */
export async function peekLimits(parts: LimitParts, state: WithFacts & WithLife & WithPlan): Promise<Peeked> {
  const inputTokens = countInput(state.plan.call).about
  const refused = await peekWith(parts, state, inputTokens)
  if (refused?.limit.unit !== 'input_tokens') return { refused, inputTokens }
  const exact = await parts.tokenCounts.of(state)
  const counted = mostTokens(state, exact, inputTokens)
  if (counted >= inputTokens) return { refused, inputTokens }
  return { refused: await peekWith(parts, state, counted), inputTokens: counted }
}

async function peekWith(
  { kernel }: LimitParts,
  state: WithFacts & WithPlan,
  inputTokens: number,
): Promise<Refused | null> {
  for (const limit of limitsOf(state)) {
    if (limit.unit === 'concurrent') continue
    const decision = await kernel.limits.peek(keyOf(state, limit), ruleOf(limit), costBefore(limit, inputTokens) ?? 1)
    if (!decision.allowed) return { limit, problem: refusal(limit, decision.retryAfterMs) }
  }
  return null
}

/** Maximum over the targets that may answer; the estimate for targets without an exact count. */
export function mostTokens({ plan: { targets } }: WithPlan, exact: ExactCounts | null, about: number): number {
  return exact === null ? about : Math.max(...targets.map((target) => exact(target) ?? about))
}

export const hasLimits = (state: WithFacts & WithPlan): boolean => limitsOf(state).length > 0

/**
 * Takes a slot for a running call and counts the usage known before the call; without a free slot, nothing is used up.
 */
export async function takeLimits(
  parts: LimitParts,
  state: WithFacts & WithLife & WithPlan & WithFindings & WithProgress,
  inputTokens: number,
): Promise<StepOutcome> {
  const limits = limitsOf(state)
  const entered = enterAll(parts, state, limits)
  if (entered !== allow && state.plan.policy.effective.mode === 'enforce') return entered
  for (const limit of limits) {
    const cost = limit.unit === 'concurrent' ? null : costBefore(limit, inputTokens)
    if (cost === null) continue
    const taken = parts.kernel.limits.take(keyOf(state, limit), ruleOf(limit), cost)
    const decision = await inTime(state, 4, taken)
    if (!decision.allowed) return refuse(state, { limit, problem: refusal(limit, decision.retryAfterMs) })
  }
  return entered
}

/** Refuses the call, or notes the refusal in monitor mode. */
export function refuse(state: WithPlan & WithFindings, { limit, problem }: Refused): StepOutcome {
  note(state, { rule: limit.id, step: 'rate_and_budget', category: 'limit', action: 'block' })
  return blockByPolicy(problem)
}

function enterAll(
  { concurrency }: LimitParts,
  state: WithFacts & WithLife & WithPlan & WithFindings,
  limits: readonly Limit[],
): StepOutcome {
  const wanted = limits.filter(({ unit }) => unit === 'concurrent')
  const entered = concurrency.enter(wanted.map((limit) => ({ key: keyOf(state, limit), max: limit.max })))
  if (typeof entered === 'function') {
    state.life.cleanups.push(entered)
    return allow
  }
  const full = wanted[entered.full]
  return full === undefined ? allow : refuse(state, { limit: full, problem: refusal(full, 1000) })
}

/** Null for units known only after the call. */
function costBefore({ unit }: Limit, inputTokens: number): number | null {
  if (unit === 'requests') return 1
  return unit === 'input_tokens' ? inputTokens : null
}

/** Counts the usage of the call. The answer does not wait for it. */
export function countAfter({ kernel }: LimitParts, state: PaidCall): void {
  for (const limit of limitsOf(state)) {
    const used = usedAfter(state, limit)
    const counted = { key: keyOf(state, limit), rule: ruleOf(limit), used }
    if (used > 0) kernel.background('count a call in its limits', takeWhatFits(kernel, counted))
  }
}

function usedAfter(state: PaidCall, limit: Limit): number {
  if (limit.unit === 'output_tokens') return usageOf(state)?.completion_tokens ?? 0
  if (limit.unit !== 'cost') return 0
  const { nano, currency } = callCost(state)
  if (nano === null || currency !== limit.currency) return 0
  return Number(ceilDiv(nano * BigInt(perUnit(limit)), nanoPerUnit))
}

interface Used {
  readonly key: string
  readonly rule: LimitRule
  readonly used: number
}

/** The limiter takes all or nothing, and a call that exceeds the limit must still use up the window. */
export async function takeWhatFits({ limits }: Pick<Kernel, 'limits'>, { key, rule, used }: Used): Promise<void> {
  for (let wanted = used; wanted > 0; ) {
    const decision: LimitDecision = await limits.take(key, rule, Math.min(wanted, rule.limit))
    if (decision.allowed) return
    wanted = Math.min(wanted - 1, decision.remaining)
  }
}

/** The largest number the limiter holds. */
const largestLimit = 4_000_000_000

/** For cost limits: counted units per unit of currency, as fine as the limiter can hold. */
function perUnit({ max }: Limit): number {
  return 10 ** Math.min(9, Math.max(0, Math.floor(Math.log10(largestLimit / Math.max(1, max)))))
}

function ruleOf(limit: Limit): LimitRule {
  const max = limit.unit === 'cost' ? limit.max * perUnit(limit) : limit.max
  return { limit: max, windowMs: (limit.window_seconds ?? 60) * 1000 }
}

/** Limits of different size keep separate counts, because they have separate windows. */
function keyOf({ facts }: WithFacts, limit: Limit): string {
  const { tenantId, actor, asked } = facts
  // A limit per key counts a key and the keys created with it as one; otherwise creating keys would multiply the limit.
  const keyId = actor.keyAncestors?.at(-1)?.id ?? actor.keyId ?? actor.userId
  const who = { tenant: 'all', user: actor.userId, key: keyId, agent: asked.agentId ?? 'none' }[limit.per]
  return `{${tenantId}}:gateway:${limit.id}:${limit.unit}:${limit.max}:${limit.window_seconds ?? 0}:${limit.per}:${who}`
}

function refusal(limit: Limit, retryAfterMs: number): ProblemError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return errors
    .limitExceeded({ what: `The policy limit ${limit.id} is used up.`, seconds })
    .withHeaders({ 'retry-after': String(seconds) })
}
