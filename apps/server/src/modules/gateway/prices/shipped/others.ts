import { type PriceRow, pricesAsKnown } from './as-known.ts'

const gemini: readonly PriceRow[] = [
  {
    model: 'gemini-2.5-pro',
    prices: { input: '1.25', cached_input: '0.31', output: '10' },
    tiers: [{ above_input_tokens: 200_000, prices: { input: '2.5', cached_input: '0.625', output: '15' } }],
    max_output_tokens: 65_536,
  },
  {
    model: 'gemini-2.5-flash',
    prices: { input: '0.3', cached_input: '0.075', input_audio: '1', output: '2.5' },
    max_output_tokens: 65_536,
  },
  {
    model: 'gemini-2.5-flash-lite',
    prices: { input: '0.1', cached_input: '0.025', input_audio: '0.3', output: '0.4' },
    max_output_tokens: 65_536,
  },
  {
    model: 'gemini-2.0-flash',
    prices: { input: '0.1', cached_input: '0.025', input_audio: '0.7', output: '0.4' },
    max_output_tokens: 8192,
  },
  { model: 'gemini-2.0-flash-lite', prices: { input: '0.075', output: '0.3' }, max_output_tokens: 8192 },
]

const mistral: readonly PriceRow[] = [
  { model: 'mistral-large-2411', prices: { input: '2', output: '6' } },
  { model: 'mistral-medium-2505', prices: { input: '0.4', output: '2' } },
  { model: 'mistral-medium-2508', prices: { input: '0.4', output: '2' } },
  { model: 'mistral-small-2506', prices: { input: '0.1', output: '0.3' } },
  { model: 'codestral-2508', prices: { input: '0.3', output: '0.9' } },
  { model: 'pixtral-large-2411', prices: { input: '2', output: '6' } },
  { model: 'ministral-8b-2410', prices: { input: '0.1', output: '0.1' } },
  { model: 'ministral-3b-2410', prices: { input: '0.04', output: '0.04' } },
  { model: 'mistral-embed', prices: { input: '0.1' } },
]

const cohere: readonly PriceRow[] = [
  { model: 'command-a-03-2025', prices: { input: '2.5', output: '10' }, max_output_tokens: 8000 },
  { model: 'command-r-plus-08-2024', prices: { input: '2.5', output: '10' }, max_output_tokens: 4000 },
  { model: 'command-r-08-2024', prices: { input: '0.15', output: '0.6' }, max_output_tokens: 4000 },
  { model: 'command-r7b-12-2024', prices: { input: '0.0375', output: '0.15' }, max_output_tokens: 4000 },
  { model: 'embed-v4.0', prices: { input: '0.12' } },
]

/** Prices of the regions of the United States; others differ. */
const nova: readonly PriceRow[] = [
  { model: '*amazon.nova-micro-v1:0', prices: { input: '0.035', output: '0.14' }, max_output_tokens: 10_000 },
  { model: '*amazon.nova-lite-v1:0', prices: { input: '0.06', output: '0.24' }, max_output_tokens: 10_000 },
  { model: '*amazon.nova-pro-v1:0', prices: { input: '0.8', output: '3.2' }, max_output_tokens: 10_000 },
]

export const otherPrices = [
  ...pricesAsKnown('Google', ['google_gemini', 'google_vertex'], gemini),
  ...pricesAsKnown('Mistral AI', ['mistral'], mistral),
  ...pricesAsKnown('Cohere', ['cohere'], cohere),
  ...pricesAsKnown('Amazon Bedrock', ['aws_bedrock'], nova),
]
