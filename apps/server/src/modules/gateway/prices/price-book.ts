/**
 * Finds the price of a model at a moment: the tenant's own before the shipped one, the newest that is in force.
 * Promises that a price once used can be named forever, and that a model without a price entry has no price. Tested in
 * price-book.test.ts.
 */
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import { matchesAny } from '../words/globs.ts'
import type { ListPrice, Price, PriceSheet } from './price.ts'

/** A tenant's own price of one model; a null sheet goes back to the shipped one. */
export interface PriceOverride {
  readonly id: string
  readonly provider_id: string
  readonly model: string
  readonly sheet: PriceSheet | null
  readonly valid_from: string
}

export interface PricedTarget {
  readonly provider: { readonly id: string; readonly kind: string }
  readonly model: string
}

export interface PriceBook {
  /** Null when the price is unknown. */
  find(target: PricedTarget, at: string): Price | null
  /** As `find`, without the tenant's own. */
  shipped(target: Pick<PricedTarget, 'model'> & { readonly kind: string }, at: string): Price | null
}

/** Models looked up, so that a pattern is matched once per model. */
const mostRemembered = 2000

interface Listed {
  readonly validFrom: string
  readonly price: Price
}

export function createPriceBook(list: readonly ListPrice[], overrides: readonly PriceOverride[]): PriceBook {
  const remembered = new Map<string, readonly Listed[]>()
  const own = newestFirst(overrides)
  const shipped: PriceBook['shipped'] = ({ kind, model }, at) => {
    const key = `${kind}/${model}`
    const known = remembered.get(key) ?? listed(list, kind, model)
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.set(key, known)
    return known.find(({ validFrom }) => validFrom <= at)?.price ?? null
  }
  return {
    shipped,
    find: ({ provider, model }, at) => {
      const found = shipped({ kind: provider.kind, model }, at)
      const version = own.get(placeOf(provider.id, model))?.find(({ valid_from }) => valid_from <= at)
      if (version === undefined || version.sheet === null) return found
      const maxOutputTokens = found?.maxOutputTokens ?? null
      return { id: `tenant:${version.id}`, sheet: version.sheet, source: 'tenant', maxOutputTokens }
    },
  }
}

const placeOf = (providerId: string, model: string): string => `${providerId}/${model}`

function newestFirst(overrides: readonly PriceOverride[]): ReadonlyMap<string, readonly PriceOverride[]> {
  const versions = new Map<string, PriceOverride[]>()
  // Of two with one beginning the later one was meant; ids grow with time.
  const order = [...overrides].sort((a, b) => (a.valid_from + a.id < b.valid_from + b.id ? 1 : -1))
  for (const override of order) {
    const place = placeOf(override.provider_id, override.model)
    versions.set(place, [...(versions.get(place) ?? []), override])
  }
  return versions
}

/** The versions of the pattern that says most about the model, newest first. */
function listed(list: readonly ListPrice[], kind: string, model: string): readonly Listed[] {
  const fitting = list.filter((price) => price.provider === kind && fits(price.model, model))
  const best = Math.max(...fitting.map((price) => closeness(price.model, model)))
  return fitting
    .filter((price) => closeness(price.model, model) === best)
    .sort((a, b) => (a.valid_from < b.valid_from ? 1 : -1))
    .map((price) => ({ validFrom: price.valid_from, price: priceOf(price) }))
}

/** Vendors put the day of a version, or the word for the newest one, behind the name. */
const versionSuffix = /-(?:\d{4}-\d\d-\d\d|\d{8}|latest)$/

/** The name of which a model is a version. */
export function withoutVersion(model: string): string {
  return model.replace(versionSuffix, '')
}

function fits(pattern: string, model: string): boolean {
  return matchesAny([pattern], model, withoutVersion(model))
}

function closeness(pattern: string, model: string): number {
  return pattern === model ? Number.MAX_SAFE_INTEGER : pattern.replaceAll('*', '').length
}

/** Named by the hash of its content, so that another price in a later release is another version. */
function priceOf({ provider, model, source, max_output_tokens: most, currency, ...rest }: ListPrice): Price {
  const { prices, tiers, service_tiers } = rest
  const sheet: PriceSheet = {
    currency,
    prices,
    ...(tiers === undefined ? {} : { tiers }),
    ...(service_tiers === undefined ? {} : { service_tiers }),
  }
  const version = canonicalHash({ provider, model, sheet, valid_from: rest.valid_from }).slice(0, 12)
  return { id: `list:${provider}/${model}@${version}`, sheet, source, maxOutputTokens: most ?? null }
}
