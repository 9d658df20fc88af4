/**
 * Counts times prices, in whole numbers and rounded once, up. A unit that was used and has no price makes the cost
 * unknown and never smaller. Tested in cost.test.ts.
 */
import type { Usage } from '../call/events.ts'
import { ceilDiv, type Nano, parseAmount } from './amounts.ts'
import { type PriceSheet, serviceTiers, type UnitName, type UnitPrices } from './price.ts'

/** Counts that exclude each other. */
export type Meter = { readonly [U in UnitName]?: number }

/** Units used, each token in one place only. */
export function meterOf(usage: Usage): Meter {
  const special =
    usage.cachedTokens +
    usage.cacheWrite5mTokens +
    usage.cacheWrite1hTokens +
    usage.inputAudioTokens +
    usage.inputImageTokens
  return {
    // Providers that count a token twice must not make the rest negative.
    input: Math.max(0, usage.inputTokens - special),
    cached_input: usage.cachedTokens,
    cache_write_5m: usage.cacheWrite5mTokens,
    cache_write_1h: usage.cacheWrite1hTokens,
    input_audio: usage.inputAudioTokens,
    input_image: usage.inputImageTokens,
    output: Math.max(0, usage.outputTokens - usage.reasoningTokens - usage.outputAudioTokens),
    reasoning_output: usage.reasoningTokens,
    output_audio: usage.outputAudioTokens,
    request: 1,
  }
}

/**
 * Units whose price applies where a vendor names no price of its own. Sound has no stand-in: it costs a multiple of
 * text.
 */
const standIns: { readonly [U in UnitName]?: UnitName } = {
  cached_input: 'input',
  cache_write_5m: 'input',
  cache_write_1h: 'cache_write_5m',
  reasoning_output: 'output',
  input_image: 'input',
}

const inputUnits = ['input', 'cached_input', 'cache_write_5m', 'cache_write_1h', 'input_image', 'input_audio'] as const

const perMillion = 1_000_000n

/** Null when a used unit has no known price. */
export function costOfMeter(sheet: PriceSheet, meter: Meter, serviceTier: string | null): Nano | null {
  const prices = pricesFor(sheet, inputSize(meter), serviceTier)
  let total = 0n
  for (const [unit, count] of countsOf(meter)) {
    const price = priceOf(prices, unit)
    // No vendor that charges for requests leaves that out, while all others do.
    if (price === null && unit === 'request') continue
    if (price === null) return null
    total += parseAmount(price) * BigInt(count)
  }
  return ceilDiv(total, perMillion)
}

function countsOf(meter: Meter): readonly (readonly [UnitName, number])[] {
  const counts = Object.entries(meter) as [UnitName, number][]
  return counts.filter(([, count]) => count > 0)
}

function inputSize(meter: Meter): number {
  return inputUnits.reduce((sum, unit) => sum + (meter[unit] ?? 0), 0)
}

function priceOf(prices: UnitPrices, unit: UnitName): string | null {
  const own = prices[unit]
  if (own !== undefined) return own
  const instead = standIns[unit]
  return instead === undefined ? null : priceOf(prices, instead)
}

/** The service tier's word over the ordinary one, and the highest tier the input is above over both. */
export function pricesFor(sheet: PriceSheet, inputTokens: number, serviceTier: string | null): UnitPrices {
  const name = serviceTiers.find((known) => known === serviceTier)
  const service = name === undefined ? undefined : sheet.service_tiers?.[name]
  return {
    ...sheet.prices,
    ...tierFor(sheet.tiers, inputTokens),
    ...service?.prices,
    ...tierFor(service?.tiers, inputTokens),
  }
}

function tierFor(tiers: PriceSheet['tiers'], inputTokens: number): UnitPrices {
  const reached = (tiers ?? []).filter((tier) => inputTokens > tier.above_input_tokens)
  const highest = reached.reduce<(typeof reached)[number] | null>(
    (best, tier) => (best === null || tier.above_input_tokens > best.above_input_tokens ? tier : best),
    null,
  )
  return highest?.prices ?? {}
}

export interface Bound {
  readonly inputTokens: number
  readonly outputTokens: number
}

/**
 * Maximum cost of a call within these bounds, over all tiers of its size and all splits of its tokens; null when it has
 * no price. Sound is left out: its tokens are only known afterwards.
 */
export function worstCost(sheet: PriceSheet, { inputTokens, outputTokens }: Bound, asked: string | null): Nano | null {
  const services = [null, ...(asked === 'auto' ? Object.keys(sheet.service_tiers ?? {}) : [asked])]
  const sizes = [
    0,
    ...allTiers(sheet)
      .filter((above) => above < inputTokens)
      .map((above) => above + 1),
    inputTokens,
  ]
  const costs = services.flatMap((service) =>
    sizes.map((size) => dearest(pricesFor(sheet, size, service), { inputTokens, outputTokens })),
  )
  return costs.reduce<Nano | null>(
    (most, cost) => (cost === null || (most !== null && cost <= most) ? most : cost),
    null,
  )
}

function allTiers(sheet: PriceSheet): readonly number[] {
  const lists = [sheet.tiers, ...Object.values(sheet.service_tiers ?? {}).map(({ tiers }) => tiers)]
  return lists.flatMap((tiers) => (tiers ?? []).map((tier) => tier.above_input_tokens))
}

function dearest(prices: UnitPrices, { inputTokens, outputTokens }: Bound): Nano | null {
  const input = highest(prices, ['input', 'cached_input', 'cache_write_5m', 'cache_write_1h', 'input_image'])
  const output = highest(prices, ['output', 'reasoning_output'])
  if ((input === null && inputTokens > 0) || (output === null && outputTokens > 0)) return null
  const tokens = (input ?? 0n) * BigInt(inputTokens) + (output ?? 0n) * BigInt(outputTokens)
  return ceilDiv(tokens + parseAmount(prices.request ?? '0'), perMillion)
}

function highest(prices: UnitPrices, units: readonly UnitName[]): Nano | null {
  const known = units.map((unit) => priceOf(prices, unit)).filter((price) => price !== null)
  return known
    .map(parseAmount)
    .reduce<Nano | null>((most, price) => (most === null || price > most ? price : most), null)
}
