import type { Usage } from '../call/call.ts'
import type { PriceBook } from '../prices/price-book.ts'
import type { Target } from '../providers/provider.ts'
import type { Hold } from './hold.ts'

/** Money of a call: prices of its tenant, and amounts reserved for it. */
export interface CallMoney {
  /** Prices of the tenant's models; null until step 4. */
  readonly prices: PriceBook | null
  /** Amounts reserved for the call; its outcome settles them. */
  readonly holds: readonly Hold[]
  /**
   * Maximum tokens of a question that the cache may have embedded: the reserved number, or infinity if no reservation
   * is required.
   */
  readonly vectorTokens: number
  /** Target that embedded the question for the cache, with its usage; it will be charged. */
  readonly embedded: { readonly target: Target; readonly usage: Usage } | null
}

export interface WithMoney {
  readonly money: CallMoney
}

export function noMoney(): CallMoney {
  return { prices: null, holds: [], vectorTokens: 0, embedded: null }
}
