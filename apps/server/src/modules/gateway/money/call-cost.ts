/** What a call cost, from what it used and the price that was in force when it began. Tested in charging.test.ts. */
import type { Static } from 'typebox'
import { isFromCache } from '../cache/status.ts'
import { countedTokens, type Usage } from '../call/events.ts'
import { usageOf } from '../call/usage.ts'
import type { CallState } from '../pipeline/call-state.ts'
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

const free: CallCost = { status: 'free', nano: null, currency: null, priceId: null, savedNano: null }

export function callCost(state: CallState): CallCost {
  return withEmbedding(state, answerCost(state))
}

/** What made a vector for the cache is paid for, whoever answered in the end. */
function withEmbedding(state: CallState, cost: CallCost): CallCost {
  const { embedded } = state
  if (embedded === null || isOffline(embedded.target.provider) || cost.status === 'unpriced') return cost
  const { status, nano, currency } = priceOf(state, embedded.target, embedded.usage)
  if (nano === null) return { ...cost, status: 'unpriced', nano: null }
  if (cost.nano === null && (cost.currency === null || cost.currency === currency))
    return { ...cost, status, nano, currency }
  if (cost.nano === null || cost.currency !== currency) return { ...cost, status: 'unpriced', nano: null }
  return { ...cost, nano: cost.nano + nano, status: cost.status === 'priced' ? status : cost.status }
}

function answerCost(state: CallState): CallCost {
  const used = usedBy(state)
  if (used === null || state.served === null || isOffline(state.served.provider)) return free
  const priced = priceOf(state, state.served, used)
  return isFromCache(state.cache)
    ? { ...free, currency: priced.currency, savedNano: priced.nano }
    : withOthers(state, priced)
}

/** Targets that were asked besides and cut off: what they read they will charge for, and nobody told how much it was. */
function withOthers(state: CallState, priced: CallCost): CallCost {
  const others = state.alsoAsked.filter(({ provider }) => !isOffline(provider))
  if (priced.nano === null || others.length === 0) return priced
  let { nano } = priced
  for (const target of others) {
    const other = priceOf(state, target, unanswered(state))
    if (other.nano === null || other.currency !== priced.currency) return { ...free, status: 'unpriced' }
    nano += other.nano
  }
  return { ...priced, nano, status: 'estimated' }
}

function priceOf(state: CallState, served: Target, used: Usage): CallCost {
  const price = state.prices?.find(served, state.facts.startedAt) ?? null
  const nano =
    price === null ? null : costOfMeter(price.sheet, meterOf(used), used.serviceTier ?? state.call.serviceTier)
  if (price === null || nano === null) return { ...free, status: 'unpriced' }
  const status = used.source === 'upstream' ? 'priced' : 'estimated'
  return { status, nano, currency: price.sheet.currency, priceId: price.id, savedNano: null }
}

function usedBy(state: CallState): Usage | null {
  if (state.usage !== null) return state.usage
  const facts = usageOf(state)
  if (facts === null) return wasRead(state) ? unanswered(state) : null
  return countedTokens('estimated', { inputTokens: facts.prompt_tokens, outputTokens: facts.completion_tokens })
}

/** The provider was asked and nobody waited for its answer: what it read it will charge for. */
function wasRead({ served, cache, status, error }: CallState): boolean {
  return served !== null && !isFromCache(cache) && (status === 'client_closed' || error?.code === 'GW-012')
}

function unanswered({ call }: CallState): Usage {
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
