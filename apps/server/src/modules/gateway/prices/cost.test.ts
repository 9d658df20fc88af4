import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noTokens, type Usage } from '../call/events.ts'
import { formatAmount } from './amounts.ts'
import { costOfMeter, meterOf, pricesFor, worstCost } from './cost.ts'
import type { PriceSheet, UnitPrices } from './price.ts'

const usage = (over: Partial<Usage>): Usage => ({
  inputTokens: 0,
  outputTokens: 0,
  ...noTokens,
  source: 'upstream',
  ...over,
})

const sheet: PriceSheet = {
  currency: 'USD',
  prices: { input: '3', cached_input: '0.3', cache_write_5m: '3.75', cache_write_1h: '6', output: '15' },
  tiers: [{ above_input_tokens: 200_000, prices: { input: '6', output: '22.5' } }],
  service_tiers: { priority: { prices: { input: '6', output: '30' } } },
}

const costs = (used: Usage, tier: string | null = null): string | null => {
  const cost = costOfMeter(sheet, meterOf(used), tier)
  return cost === null ? null : formatAmount(cost)
}

describe('the cost of a call', () => {
  test('adds up its tokens at their own prices', () => {
    const used = usage({ inputTokens: 1000, cachedTokens: 600, cacheWrite5mTokens: 100, outputTokens: 200 })
    // 300 × 3 + 600 × 0.3 + 100 × 3.75 + 200 × 15, per million
    expect(costs(used)).toBe('0.004455')
  })

  test('counts thinking as output where it has no price of its own', () => {
    expect(costs(usage({ outputTokens: 100, reasoningTokens: 90 }))).toBe('0.0015')
  })

  test('takes the tier of the whole input, cached or not', () => {
    expect(costs(usage({ inputTokens: 200_000, outputTokens: 1 }))).toBe('0.600015')
    expect(costs(usage({ inputTokens: 200_001, cachedTokens: 1, outputTokens: 1 }))).toBe('1.2000228')
  })

  test('follows the service tier that was asked for, and the ordinary one for a tier without a price', () => {
    const used = usage({ inputTokens: 1_000_000 })
    expect(costs(used, 'priority')).toBe('6')
    expect(costs(used, 'flex')).toBe('6')
    expect(costs(usage({ inputTokens: 1000 }), 'flex')).toBe('0.003')
  })

  test('is not known when something without a price was used', () => {
    expect(costs(usage({ inputTokens: 10, inputAudioTokens: 5 }))).toBe(null)
    expect(costOfMeter({ currency: 'USD', prices: { input: '1' } }, meterOf(usage({ outputTokens: 1 })), null)).toBe(
      null,
    )
    expect(costOfMeter({ currency: 'USD', prices: {} }, meterOf(usage({ inputTokens: 1 })), null)).toBe(null)
  })

  test('is rounded up once, to a billionth', () => {
    const cheap: PriceSheet = { currency: 'USD', prices: { input: '0.0001', output: '0.0001' } }
    expect(costOfMeter(cheap, { input: 1, output: 1 }, null)).toBe(1n)
  })
})

const tokens = fc.integer({ min: 0, max: 5_000_000 })
const price = fc.bigInt({ min: 0n, max: 10n ** 12n }).map(formatAmount)
const prices: fc.Arbitrary<UnitPrices> = fc.record({
  input: price,
  cached_input: price,
  cache_write_5m: price,
  cache_write_1h: price,
  output: price,
  reasoning_output: price,
})
const sheets: fc.Arbitrary<PriceSheet> = fc.record({
  currency: fc.constant('USD'),
  prices,
  tiers: fc.array(fc.record({ above_input_tokens: fc.integer({ min: 1, max: 2_000_000 }), prices }), { maxLength: 3 }),
  service_tiers: fc.record({ flex: fc.record({ prices }), priority: fc.record({ prices }) }),
})
const usages = fc
  .record({ fresh: tokens, cached: tokens, short: tokens, long: tokens, said: tokens, thought: tokens })
  .map(({ fresh, cached, short, long, said, thought }) =>
    usage({
      inputTokens: fresh + cached + short + long,
      cachedTokens: cached,
      cacheWrite5mTokens: short,
      cacheWrite1hTokens: long,
      outputTokens: said + thought,
      reasoningTokens: thought,
    }),
  )
const service = fc.constantFrom(null, 'flex', 'priority', 'unheard-of')

describe('for all sheets and calls', () => {
  test('the cost is the sum of its parts, up to one billionth', () => {
    fc.assert(
      fc.property(sheets, usages, service, (any, used, tier) => {
        const meter = meterOf(used)
        const rates = pricesFor(any, used.inputTokens, tier)
        const parts = Object.entries(meter)
          .filter(([unit]) => unit !== 'request')
          .map(([unit, count]) => costOfMeter({ currency: 'USD', prices: rates }, { [unit]: count }, null) ?? 0n)
        const sum = parts.reduce((total, part) => total + part, 0n)
        const whole = costOfMeter(any, meter, tier) ?? -1n
        expect(whole <= sum && sum - whole < BigInt(parts.length)).toBe(true)
      }),
    )
  })

  test('the worst case is never below what a call within its bounds costs', () => {
    fc.assert(
      fc.property(sheets, usages, service, fc.boolean(), (any, used, tier, auto) => {
        const asked = auto ? 'auto' : tier
        const worst = worstCost(any, { inputTokens: used.inputTokens, outputTokens: used.outputTokens }, asked) ?? -1n
        expect((costOfMeter(any, meterOf(used), tier) ?? 0n) <= worst).toBe(true)
      }),
    )
  })

  test('the worst case does not fall when a call may be larger', () => {
    fc.assert(
      fc.property(sheets, tokens, tokens, tokens, (any, input, output, more) => {
        const small = worstCost(any, { inputTokens: input, outputTokens: output }, null) ?? 0n
        const large = worstCost(any, { inputTokens: input + more, outputTokens: output + more }, null) ?? 0n
        expect(small <= large).toBe(true)
      }),
    )
  })
})
