/**
 * Reads a price file of Portkey's model catalogue: one file per provider, model name → `pricing_config.pay_as_you_go`
 * with prices in cents per token. A price of 0 for a cache means there that nothing is charged in addition to the
 * input, and a model with all prices 0 has an unknown price. Tested in portkey.test.ts.
 */
import { shiftDecimal } from '../amounts.ts'
import type { ListPrice, UnitName } from '../price.ts'
import { assembled, type Imported, isRecord, type Rate, readOr } from './imported.ts'
import type { ImportFacts } from './litellm.ts'

const units: Readonly<Record<string, UnitName>> = {
  request_token: 'input',
  cache_read_input_token: 'cached_input',
  cache_write_input_token: 'cache_write_5m',
  response_token: 'output',
  request_audio_token: 'input_audio',
  response_audio_token: 'output_audio',
}
const additionalUnits: Readonly<Record<string, UnitName>> = { cache_write_1h: 'cache_write_1h' }

/** Zero means "nothing beside the input" for these. */
const besideInput: ReadonlySet<UnitName> = new Set(['cached_input', 'cache_write_5m', 'cache_write_1h'])

/** @param provider our kind of provider: the file does not name itself */
export function readPortkey(
  file: unknown,
  { provider, checkedAt }: ImportFacts & { readonly provider: string },
): Imported {
  if (!isRecord(file)) throw new RangeError('The price file is not an object')
  const prices: ListPrice[] = []
  const skipped: string[] = []
  for (const [model, entry] of Object.entries(file)) {
    if (model === 'default') continue
    const rates = readOr(() => ratesOf(entry))
    if (typeof rates === 'string') {
      skipped.push(`${model}: ${rates}`)
      continue
    }
    if (rates.every(({ price }) => price === '0')) {
      skipped.push(`${model}: has no price of a token`)
      continue
    }
    const source = `Portkey model prices of ${checkedAt}`
    prices.push(assembled(rates, { provider, model, valid_from: checkedAt, source, checked_at: checkedAt }))
  }
  return { prices, skipped }
}

function ratesOf(entry: unknown): readonly Rate[] {
  const config = isRecord(entry) ? entry.pricing_config : undefined
  const paid = isRecord(config) ? config.pay_as_you_go : undefined
  if (!isRecord(paid)) return []
  const additional = isRecord(paid.additional_units) ? paid.additional_units : {}
  return [...ratesIn(paid, units), ...ratesIn(additional, additionalUnits)]
}

function ratesIn(
  prices: Readonly<Record<string, unknown>>,
  known: Readonly<Record<string, UnitName>>,
): readonly Rate[] {
  return Object.entries(known).flatMap(([field, unit]) => {
    const entry = prices[field]
    const cents = isRecord(entry) ? entry.price : undefined
    if (typeof cents !== 'number' || cents < 0 || (cents === 0 && besideInput.has(unit))) return []
    return [{ unit, price: shiftDecimal(String(cents), 4), aboveInputTokens: null, service: null }]
  })
}
