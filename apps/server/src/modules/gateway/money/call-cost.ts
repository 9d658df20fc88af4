/**
 * What a call cost, from what it used and the price that was in force when it began. Tested in charging.test.ts and
 * several-targets.test.ts.
 */
import type { Static } from 'typebox'
import { isFromCache } from '../cache/status.ts'
import { countedTokens, type Usage } from '../call/events.ts'
import { usageOf } from '../call/usage.ts'
import type { CallState } from '../pipeline/call-state.ts'
import { hasRead, UpstreamFault } from '../providers/fault.ts'
import { isOffline, type Target } from '../providers/provider.ts'
import { formatAmount, type Nano } from './amounts.ts'
import { countInput } from './bounds.ts'
import { costOfMeter, meterOf } from './cost.ts'
import type { LoggedCost } from './logged-cost.ts'

type Logged = Static<typeof LoggedCost>

export interface CallCost {
  readonly status: Logged['status']
  /** Null when it is not known, and when there was nothing to pay for. */
  readonly nano: Nano | null
  readonly currency: string | null
  readonly priceId: string | null
  /** What an answer from the cache would have cost. */
  readonly savedNano: Nano | null
}

/** Of what one target was asked. A null of `nano` is a price nobody knows. */
export interface PaidPart extends Omit<CallCost, 'status' | 'savedNano'> {
  readonly target: Target
  readonly status: Exclude<CallCost['status'], 'free'>
}

const free: CallCost = { status: 'free', nano: null, currency: null, priceId: null, savedNano: null }

export function callCost(state: CallState): CallCost {
  return sumOf(paidParts(state), savedBy(state))
}

/** Amounts of different currencies are never added up, so where there are several the whole is not known. */
function sumOf(parts: readonly PaidPart[], saved: CallCost): CallCost {
  const [first] = parts
  if (first === undefined) return saved
  const { savedNano } = saved
  const currency = saved.currency ?? first.currency
  if (parts.some((part) => part.nano === null || part.currency !== currency))
    return { ...free, status: 'unpriced', currency: saved.currency, savedNano }
  const nano = parts.reduce((sum, part) => sum + (part.nano ?? 0n), 0n)
  const status = parts.every((part) => part.status === 'priced') ? 'priced' : 'estimated'
  return { status, nano, currency, priceId: first.priceId, savedNano }
}

/** An answer from the cache costs nothing, and would have cost this. */
function savedBy(state: CallState): CallCost {
  const used = usedBy(state)
  if (used === null || !isFromCache(state.cache) || state.served === null || isOffline(state.served.provider))
    return free
  const { nano, currency } = partOf(state, state.served, used)
  return { ...free, currency, savedNano: nano }
}

/** Who will be paid for the call: who answered it, who was asked besides, and who made a vector of it for the cache. */
export function paidParts(state: CallState): readonly PaidPart[] {
  const { served, cache, embedded } = state
  const used = isFromCache(cache) ? null : usedBy(state)
  const asked = [
    ...(served === null || used === null ? [] : [{ target: served, usage: used }]),
    ...unanswered(state).map((target) => ({ target, usage: readBy(state) })),
    ...(embedded === null ? [] : [embedded]),
  ]
  return asked
    .filter(({ target }) => !isOffline(target.provider))
    .map(({ target, usage }) => partOf(state, target, usage))
}

function partOf(state: CallState, target: Target, used: Usage): PaidPart {
  const price = state.prices?.find(target, state.facts.startedAt) ?? null
  const nano =
    price === null ? null : costOfMeter(price.sheet, meterOf(used), used.serviceTier ?? state.call.serviceTier)
  if (price === null || nano === null) return { target, status: 'unpriced', nano: null, currency: null, priceId: null }
  const status = used.source === 'upstream' ? 'priced' : 'estimated'
  return { target, status, nano, currency: price.sheet.currency, priceId: price.id }
}

/** Of the answer. */
function usedBy(state: CallState): Usage | null {
  if (state.usage !== null) return state.usage
  const facts = usageOf(state)
  if (facts === null) return null
  return countedTokens('estimated', { inputTokens: facts.prompt_tokens, outputTokens: facts.completion_tokens })
}

/**
 * Targets that had the question and whose answer nobody has: cut off, too slow, or kept back by their own filter. What they
 * read they will charge for.
 */
function unanswered({ answer, served, asks }: CallState): readonly Target[] {
  const answering = answer === null ? undefined : asks.findLast(({ target }) => target === served)
  return asks
    .filter((ask) => ask !== answering && (!(ask.end instanceof UpstreamFault) || hasRead(ask.end)))
    .map(({ target }) => target)
}

/** Nobody told how much it was. */
function readBy({ call }: CallState): Usage {
  return countedTokens('estimated', { inputTokens: countInput(call).about, outputTokens: 0 })
}

/** As stored with the call. */
export function loggedCost(state: CallState): Logged {
  const { status, nano, currency, priceId, savedNano } = callCost(state)
  return {
    amount: nano === null ? null : formatAmount(nano),
    currency,
    status,
    price_id: priceId,
    budgeted: state.holds.some(({ budget }) => budget.kind === 'hard'),
    saved: savedNano === null ? null : formatAmount(savedNano),
  }
}
