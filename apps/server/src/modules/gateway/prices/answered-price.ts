/**
 * Cost of an answer whose provider says that another model gave it than the one that was asked: an alias at the vendor,
 * or a fallback model there. Promises that a provider's claim never makes a call cheaper unless it is the vendor's own,
 * and that a version of the requested model keeps the price that the tenant set for it. Pure. Tested in
 * answered-price.test.ts.
 */
import type { Nano } from './amounts.ts'
import type { Price } from './price.ts'
import { type PriceBook, type PricedTarget, withoutVersion } from './price-book.ts'

export interface Costed {
  readonly price: Price
  readonly nano: Nano
}

export interface Answering {
  readonly target: PricedTarget
  /** Model named by the answer; null if it names none. */
  readonly answered: string | null
  /** The vendor itself answers, and also sends the bill. */
  readonly isVendor: boolean
  readonly at: string
  /** Null if a used unit has no price. */
  costOf(price: Price): Nano | null
}

/** Null when the price is not known. */
export function costOfAnswer(prices: PriceBook, answering: Answering): Costed | null {
  const { target, isVendor, at, costOf } = answering
  const costed = (price: Price | null): Costed | null => {
    const nano = price === null ? null : costOf(price)
    return price === null || nano === null ? null : { price, nano }
  }
  const asked = costed(prices.find(target, at))
  const other = costed(otherPrice(prices, answering))
  if (other === null) return asked
  if (asked === null) return isVendor ? other : null
  // Amounts of different currencies cannot be compared, and the one the call was set aside in is the tenant's choice.
  if (asked.price.sheet.currency !== other.price.sheet.currency) return asked
  return isVendor || other.nano > asked.nano ? other : asked
}

function otherPrice(prices: PriceBook, { target, answered, at }: Answering): Price | null {
  if (answered === null || answered === target.model) return null
  const of = (model: string): Price | null => prices.find({ provider: target.provider, model }, at)
  const name = withoutVersion(answered)
  // The tenant's word on a model stands before the list's on one of its versions.
  const own = [answered, name].map(of).find((price) => price?.source === 'tenant')
  if (own !== undefined) return own
  const isVersion = name === withoutVersion(target.model)
  return isVersion && of(target.model)?.source === 'tenant' ? null : of(answered)
}
