/**
 * Shipped list prices, written down from the vendors' public price lists at the date below, or at a later one that a
 * list names. They have not been checked since: a tenant that relies on them should check them, and can set its own
 * with `PATCH /models/{model_id}`.
 */
import type { ListPrice, PriceSheet, UnitPrices } from '../price.ts'

export const knownAt = '2025-11-30'

export interface PriceRow {
  readonly model: string
  readonly prices: UnitPrices
  readonly tiers?: NonNullable<PriceSheet['tiers']>
  readonly flex?: UnitPrices
  readonly priority?: UnitPrices
  readonly max_output_tokens?: number
}

export function pricesAsKnown(
  vendor: string,
  kinds: readonly string[],
  rows: readonly PriceRow[],
  at = knownAt,
): readonly ListPrice[] {
  return kinds.flatMap((provider) =>
    rows.map(({ flex, priority, ...row }) => ({
      ...row,
      provider,
      currency: 'USD',
      ...(flex === undefined && priority === undefined ? {} : { service_tiers: serviceTiers(flex, priority) }),
      valid_from: at,
      source: `${vendor} price list as known at ${at}, check before relying on it`,
      checked_at: at,
    })),
  )
}

function serviceTiers(flex: UnitPrices | undefined, priority: UnitPrices | undefined) {
  return {
    ...(flex === undefined ? {} : { flex: { prices: flex } }),
    ...(priority === undefined ? {} : { priority: { prices: priority } }),
  }
}
