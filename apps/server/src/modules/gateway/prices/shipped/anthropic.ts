import type { UnitPrices } from '../price.ts'
import { type PriceRow, pricesAsKnown } from './as-known.ts'

/** Reading the cache costs a tenth of the input, writing it 1.25 or 2 times as much; where that is not so, it stands here. */
const opus: UnitPrices = {
  input: '15',
  cached_input: '1.5',
  cache_write_5m: '18.75',
  cache_write_1h: '30',
  output: '75',
}
const newOpus: UnitPrices = {
  input: '5',
  cached_input: '0.5',
  cache_write_5m: '6.25',
  cache_write_1h: '10',
  output: '25',
}
const sonnet: UnitPrices = {
  input: '3',
  cached_input: '0.3',
  cache_write_5m: '3.75',
  cache_write_1h: '6',
  output: '15',
}
const longSonnet = [
  {
    above_input_tokens: 200_000,
    prices: { input: '6', cached_input: '0.6', cache_write_5m: '7.5', cache_write_1h: '12', output: '22.5' },
  },
]
const haiku45: UnitPrices = {
  input: '1',
  cached_input: '0.1',
  cache_write_5m: '1.25',
  cache_write_1h: '2',
  output: '5',
}
const haiku35: UnitPrices = {
  input: '0.8',
  cached_input: '0.08',
  cache_write_5m: '1',
  cache_write_1h: '1.6',
  output: '4',
}
const haiku3: UnitPrices = {
  input: '0.25',
  cached_input: '0.03',
  cache_write_5m: '0.3',
  cache_write_1h: '0.5',
  output: '1.25',
}

const rows: readonly PriceRow[] = [
  { model: 'claude-opus-4-5', prices: newOpus, max_output_tokens: 64_000 },
  { model: 'claude-opus-4-1', prices: opus, max_output_tokens: 32_000 },
  { model: 'claude-opus-4', prices: opus, max_output_tokens: 32_000 },
  { model: 'claude-opus-4-0', prices: opus, max_output_tokens: 32_000 },
  { model: 'claude-sonnet-4-5', prices: sonnet, tiers: longSonnet, max_output_tokens: 64_000 },
  { model: 'claude-sonnet-4', prices: sonnet, tiers: longSonnet, max_output_tokens: 64_000 },
  { model: 'claude-sonnet-4-0', prices: sonnet, tiers: longSonnet, max_output_tokens: 64_000 },
  { model: 'claude-haiku-4-5', prices: haiku45, max_output_tokens: 64_000 },
  { model: 'claude-3-7-sonnet', prices: sonnet, max_output_tokens: 128_000 },
  { model: 'claude-3-5-sonnet', prices: sonnet, max_output_tokens: 8192 },
  { model: 'claude-3-5-haiku', prices: haiku35, max_output_tokens: 8192 },
  { model: 'claude-3-opus', prices: opus, max_output_tokens: 4096 },
  { model: 'claude-3-haiku', prices: haiku3, max_output_tokens: 4096 },
]

export const anthropicPrices = pricesAsKnown('Anthropic', ['anthropic'], rows)
