import type { ListPrice, PriceSheet, UnitName, UnitPrices } from '../price.ts'

export interface Imported {
  readonly prices: readonly ListPrice[]
  /** Models without a price in our form, each with the reason. */
  readonly skipped: readonly string[]
}

/** One number of a price file. */
export interface Rate {
  readonly unit: UnitName
  /** Per 1,000,000. */
  readonly price: string
  readonly aboveInputTokens: number | null
  readonly service: string | null
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The result of a read, or the reason it does not fit our form: one odd number must not keep the others from being
 * read.
 */
export function readOr<T>(read: () => T): T | string {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return error.message
    throw error
  }
}

type Facts = Omit<ListPrice, keyof PriceSheet>

/** Sorts the numbers of one model into its sheet. Price files for tokens are in dollars. */
export function assembled(rates: readonly Rate[], facts: Facts): ListPrice {
  const services = [...new Set(rates.flatMap(({ service }) => (service === null ? [] : [service])))].sort()
  return {
    ...facts,
    currency: 'USD',
    ...leveled(rates.filter(({ service }) => service === null)),
    ...(services.length === 0
      ? {}
      : {
          service_tiers: Object.fromEntries(
            services.map((service) => [service, leveled(rates.filter((rate) => rate.service === service))]),
          ),
        }),
  }
}

function leveled(rates: readonly Rate[]): Pick<PriceSheet, 'prices' | 'tiers'> {
  const levels = [...new Set(rates.flatMap(({ aboveInputTokens: above }) => (above === null ? [] : [above])))]
  const tiers = levels
    .sort((a, b) => a - b)
    .map((above) => ({ above_input_tokens: above, prices: pricesAt(rates, above) }))
  return { prices: pricesAt(rates, null), ...(tiers.length === 0 ? {} : { tiers }) }
}

function pricesAt(rates: readonly Rate[], above: number | null): UnitPrices {
  return Object.fromEntries(
    rates.filter(({ aboveInputTokens }) => aboveInputTokens === above).map(({ unit, price }) => [unit, price]),
  )
}
