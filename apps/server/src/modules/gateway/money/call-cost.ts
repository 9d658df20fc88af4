/**
 * Cost of a call, from its usage and the price in force when it began. Tested in charging.test.ts and
 * several-targets.test.ts.
 */

import type { Static } from 'typebox'
import type { WithLife } from '../admission/call-life.ts'
import type { WithAttempts } from '../attempts/call-attempts.ts'
import type { WithCache } from '../cache/kept/call-cache.ts'
import type { WithAnswer } from '../call/call-answer.ts'
import { countedTokens, type Usage } from '../call/events.ts'
import type { WithFacts } from '../call/facts.ts'
import { tokensOf } from '../call/tokens.ts'
import type { WithProgress } from '../pipeline/progress/call-progress.ts'
import type { WithPlan } from '../plan/call-plan.ts'
import { formatAmount, type Nano } from '../prices/amounts.ts'
import { costOfAnswer } from '../prices/answered-price.ts'
import { costOfMeter, meterOf } from '../prices/cost.ts'
import { isOffline, type Target } from '../providers/provider.ts'
import { isAtVendor } from '../providers/vendors/registry.ts'
import type { LoggedCost } from '../schemas/logged-cost.ts'
import { isFromCache } from '../words/cache-status.ts'
import type { WithMoney } from './call-money.ts'
import { unanswered } from './unanswered.ts'
import { usageOf } from './usage.ts'

export type PaidCall = WithFacts &
  WithLife &
  WithPlan &
  WithMoney &
  WithCache &
  WithAttempts &
  WithAnswer &
  WithProgress

type Logged = Static<typeof LoggedCost>

export interface CallCost {
  readonly status: Logged['status']
  /** Null if it is unknown, or if there was nothing to charge. */
  readonly nano: Nano | null
  readonly currency: string | null
  readonly priceId: string | null
  /** Cost that an answer from the cache would have had. */
  readonly savedNano: Nano | null
}

/** Cost at one target. A null `nano` means that the price is unknown. */
export interface PaidPart extends Omit<CallCost, 'status' | 'savedNano'> {
  readonly target: Target
  readonly status: Exclude<CallCost['status'], 'free'>
}

const free: CallCost = { status: 'free', nano: null, currency: null, priceId: null, savedNano: null }

export function callCost(state: PaidCall): CallCost {
  return sumOf(paidParts(state), savedBy(state))
}

/** Amounts of different currencies are never added up, so with several currencies the total is unknown. */
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

/** An answer from the cache is free; this is the cost it would have had. */
function savedBy(state: PaidCall): CallCost {
  const used = usedBy(state)
  if (
    used === null ||
    !isFromCache(state.cached.status) ||
    state.attempts.served === null ||
    isOffline(state.attempts.served.provider)
  )
    return free
  const { nano, currency } = partOf(state, state.attempts.served, used, state.answer.answeredModel)
  return { ...free, currency, savedNano: nano }
}

/**
 * Targets that charge for the call: the one that answered, others that were asked, and the one that made a vector for
 * the cache.
 */
export function paidParts(state: PaidCall): readonly PaidPart[] {
  const {
    attempts: { served },
    cached: { status: cache },
    money: { embedded },
  } = state
  const used = isFromCache(cache) ? null : usedBy(state)
  const parts = [
    ...(served === null || used === null ? [] : [partOf(state, served, used, state.answer.answeredModel)]),
    ...unanswered(state).map(({ target, used: usage }) => partOf(state, target, usage, null)),
    ...(embedded === null ? [] : [partOf(state, embedded.target, embedded.usage, null)]),
  ]
  return parts.filter(({ target }) => !isOffline(target.provider))
}

/** `answered`: the model that gave the answer, as named by its provider. */
function partOf(
  state: WithFacts & WithPlan & WithMoney,
  target: Target,
  used: Usage,
  answered: string | null,
): PaidPart {
  const tier = used.serviceTier ?? state.plan.call.serviceTier
  const cost =
    state.money.prices === null
      ? null
      : costOfAnswer(state.money.prices, {
          target,
          answered,
          isVendor: isAtVendor(target.provider),
          at: state.facts.startedAt,
          costOf: ({ sheet }) => costOfMeter(sheet, meterOf(used), tier),
        })
  if (cost === null) return { target, status: 'unpriced', nano: null, currency: null, priceId: null }
  const status = used.source === 'upstream' ? 'priced' : 'estimated'
  return { target, status, nano: cost.nano, currency: cost.price.sheet.currency, priceId: cost.price.id }
}

/** Usage of the answer. */
function usedBy(state: PaidCall): Usage | null {
  const { usage, receivedBytes } = state.answer
  if (usage !== null) return isCutOff(state) ? withReceived(usage, receivedBytes) : usage
  const facts = usageOf(state)
  if (facts === null) return null
  return countedTokens('estimated', { inputTokens: facts.prompt_tokens, outputTokens: facts.completion_tokens })
}

/** Whether the answer was cut off. */
function isCutOff({ life, progress }: WithLife & WithProgress): boolean {
  return life.abort.aborted || progress.error !== null
}

/** Some servers count while they write; output received after the last count is charged as well. */
function withReceived(usage: Usage, receivedBytes: number): Usage {
  const received = tokensOf(receivedBytes)
  return received <= usage.outputTokens ? usage : { ...usage, outputTokens: received, source: 'estimated' }
}

/** Cost as stored with the call. */
export function loggedCost(state: PaidCall): Logged {
  const { status, nano, currency, priceId, savedNano } = callCost(state)
  return {
    amount: nano === null ? null : formatAmount(nano),
    currency,
    status,
    price_id: priceId,
    budgeted: state.money.holds.some(({ budget }) => budget.kind === 'hard'),
    saved: savedNano === null ? null : formatAmount(savedNano),
  }
}
