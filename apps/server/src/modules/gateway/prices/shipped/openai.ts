import { type PriceRow, pricesAsKnown } from './as-known.ts'

/** In dollars per 1,000,000 tokens. Names stand for their dated versions too. */
const rows: readonly PriceRow[] = [
  {
    model: 'gpt-5',
    prices: { input: '1.25', cached_input: '0.125', output: '10' },
    flex: { input: '0.625', cached_input: '0.0625', output: '5' },
    priority: { input: '2.5', cached_input: '0.25', output: '20' },
    max_output_tokens: 128_000,
  },
  {
    model: 'gpt-5-chat',
    prices: { input: '1.25', cached_input: '0.125', output: '10' },
    max_output_tokens: 16_384,
  },
  {
    model: 'gpt-5-mini',
    prices: { input: '0.25', cached_input: '0.025', output: '2' },
    flex: { input: '0.125', cached_input: '0.0125', output: '1' },
    priority: { input: '0.45', cached_input: '0.045', output: '3.6' },
    max_output_tokens: 128_000,
  },
  {
    model: 'gpt-5-nano',
    prices: { input: '0.05', cached_input: '0.005', output: '0.4' },
    flex: { input: '0.025', cached_input: '0.0025', output: '0.2' },
    max_output_tokens: 128_000,
  },
  {
    model: 'gpt-4.1',
    prices: { input: '2', cached_input: '0.5', output: '8' },
    priority: { input: '3.5', cached_input: '0.875', output: '14' },
    max_output_tokens: 32_768,
  },
  {
    model: 'gpt-4.1-mini',
    prices: { input: '0.4', cached_input: '0.1', output: '1.6' },
    priority: { input: '0.7', cached_input: '0.175', output: '2.8' },
    max_output_tokens: 32_768,
  },
  {
    model: 'gpt-4.1-nano',
    prices: { input: '0.1', cached_input: '0.025', output: '0.4' },
    max_output_tokens: 32_768,
  },
  {
    model: 'gpt-4o',
    prices: { input: '2.5', cached_input: '1.25', output: '10' },
    priority: { input: '4.25', cached_input: '2.125', output: '17' },
    max_output_tokens: 16_384,
  },
  { model: 'gpt-4o-2024-05-13', prices: { input: '5', output: '15' }, max_output_tokens: 4096 },
  {
    model: 'gpt-4o-mini',
    prices: { input: '0.15', cached_input: '0.075', output: '0.6' },
    priority: { input: '0.25', cached_input: '0.125', output: '1' },
    max_output_tokens: 16_384,
  },
  {
    model: 'o1',
    prices: { input: '15', cached_input: '7.5', output: '60' },
    max_output_tokens: 100_000,
  },
  { model: 'o1-pro', prices: { input: '150', output: '600' }, max_output_tokens: 100_000 },
  {
    model: 'o3',
    prices: { input: '2', cached_input: '0.5', output: '8' },
    flex: { input: '1', cached_input: '0.25', output: '4' },
    priority: { input: '3.5', cached_input: '0.875', output: '14' },
    max_output_tokens: 100_000,
  },
  { model: 'o3-pro', prices: { input: '20', output: '80' }, max_output_tokens: 100_000 },
  {
    model: 'o3-mini',
    prices: { input: '1.1', cached_input: '0.55', output: '4.4' },
    max_output_tokens: 100_000,
  },
  {
    model: 'o4-mini',
    prices: { input: '1.1', cached_input: '0.275', output: '4.4' },
    flex: { input: '0.55', cached_input: '0.138', output: '2.2' },
    priority: { input: '2', cached_input: '0.5', output: '8' },
    max_output_tokens: 100_000,
  },
  { model: 'gpt-4-turbo', prices: { input: '10', output: '30' }, max_output_tokens: 4096 },
  { model: 'gpt-4', prices: { input: '30', output: '60' }, max_output_tokens: 8192 },
  { model: 'gpt-3.5-turbo', prices: { input: '0.5', output: '1.5' }, max_output_tokens: 4096 },
  { model: 'text-embedding-3-small', prices: { input: '0.02' } },
  { model: 'text-embedding-3-large', prices: { input: '0.13' } },
  { model: 'text-embedding-ada-002', prices: { input: '0.1' } },
]

/** Prompts above 272,000 tokens cost twice as much, and their answers half as much again. */
const laterRows: readonly PriceRow[] = [
  {
    model: 'gpt-6-sol',
    prices: { input: '2', cached_input: '0.2', output: '10' },
    tiers: [{ above_input_tokens: 272_000, prices: { input: '4', cached_input: '0.4', output: '15' } }],
    max_output_tokens: 128_000,
  },
  {
    model: 'gpt-6-luna',
    prices: { input: '0.1', cached_input: '0.01', output: '0.5' },
    tiers: [{ above_input_tokens: 272_000, prices: { input: '0.2', cached_input: '0.02', output: '0.75' } }],
    max_output_tokens: 128_000,
  },
]

export const openAiPrices = [
  ...pricesAsKnown('OpenAI', ['openai'], rows),
  ...pricesAsKnown('OpenAI', ['openai'], laterRows, '2026-09-22'),
]
