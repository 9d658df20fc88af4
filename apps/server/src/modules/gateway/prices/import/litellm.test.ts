import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { PriceSheet } from '../price.ts'
import { readLiteLlm } from './litellm.ts'

/** In the form of the published file: names, order of suffixes and way of writing numbers as there. */
const file: unknown = JSON.parse(`{
  "sample_spec": { "input_cost_per_token": 0.0, "litellm_provider": "one of https://docs.litellm.ai/docs/providers", "mode": "one of: chat, embedding" },
  "claude-sonnet-4-5": {
    "cache_creation_input_token_cost": 3.75e-06,
    "cache_creation_input_token_cost_above_1hr": 6e-06,
    "cache_creation_input_token_cost_above_200k_tokens": 7.5e-06,
    "cache_creation_input_token_cost_above_1hr_above_200k_tokens": 1.2e-05,
    "cache_read_input_token_cost": 3e-07,
    "cache_read_input_token_cost_above_200k_tokens": 6e-07,
    "input_cost_per_token": 3e-06,
    "input_cost_per_token_above_200k_tokens": 6e-06,
    "litellm_provider": "anthropic",
    "max_input_tokens": 200000, "max_output_tokens": 64000, "max_tokens": 64000,
    "mode": "chat",
    "output_cost_per_token": 1.5e-05,
    "output_cost_per_token_above_200k_tokens": 2.25e-05,
    "search_context_cost_per_query": { "search_context_size_high": 0.01 },
    "supports_vision": true, "tool_use_system_prompt_tokens": 346
  },
  "gpt-5": {
    "cache_read_input_token_cost": 1.25e-07,
    "cache_read_input_token_cost_flex": 6.25e-08,
    "cache_read_input_token_cost_priority": 2.5e-07,
    "input_cost_per_token": 1.25e-06,
    "input_cost_per_token_flex": 6.25e-07,
    "input_cost_per_token_priority": 2.5e-06,
    "input_cost_per_token_flex_above_272k_tokens": 1.25e-06,
    "input_cost_per_token_batches": 6.25e-07,
    "litellm_provider": "openai", "max_output_tokens": 128000, "mode": "chat",
    "output_cost_per_token": 1e-05, "output_cost_per_token_flex": 5e-06, "output_cost_per_token_priority": 2e-05
  },
  "azure/gpt-4o": { "input_cost_per_token": 2.5e-06, "litellm_provider": "azure", "mode": "chat", "output_cost_per_token": 1e-05 },
  "amazon.nova-2-pro-preview-20251202-v1:0": {
    "cache_read_input_token_cost": 5.46875e-07, "input_cost_per_token": 2.1875e-06,
    "input_cost_per_image_token": 2.1875e-06, "input_cost_per_audio_token": 2.1875e-06,
    "litellm_provider": "bedrock_converse", "mode": "chat", "output_cost_per_token": 1.75e-05
  },
  "text-embedding-3-small": { "input_cost_per_token": 2e-08, "litellm_provider": "openai", "mode": "embedding", "output_cost_per_token": 0.0 },
  "dall-e-3": { "input_cost_per_pixel": 3.81469e-08, "litellm_provider": "openai", "mode": "image_generation" },
  "ollama/llama3": { "input_cost_per_token": 0.0, "litellm_provider": "ollama", "mode": "chat", "output_cost_per_token": 0.0 },
  "aiml/flux-pro": { "litellm_provider": "aiml", "mode": "image_generation", "output_cost_per_image": 0.053 }
}`)

const { prices, skipped } = readLiteLlm(file, { checkedAt: '2026-10-01' })
const priceOf = (model: string) => prices.find((price) => price.model === model)

describe('the LiteLLM price map', () => {
  test('becomes prices per million, tiers by input size as a list', () => {
    expect(priceOf('claude-sonnet-4-5')).toMatchObject({
      provider: 'anthropic',
      currency: 'USD',
      prices: { input: '3', cached_input: '0.3', cache_write_5m: '3.75', cache_write_1h: '6', output: '15' },
      tiers: [
        {
          above_input_tokens: 200_000,
          prices: { input: '6', cached_input: '0.6', cache_write_5m: '7.5', cache_write_1h: '12', output: '22.5' },
        },
      ],
      max_output_tokens: 64_000,
      checked_at: '2026-10-01',
    })
  })

  test('keeps service tiers, with their own tiers, whatever the order of the suffixes', () => {
    expect(priceOf('gpt-5')).toMatchObject({
      prices: { input: '1.25', cached_input: '0.125', output: '10' },
      service_tiers: {
        flex: {
          prices: { input: '0.625', cached_input: '0.0625', output: '5' },
          tiers: [{ above_input_tokens: 272_000, prices: { input: '1.25' } }],
        },
        priority: { prices: { input: '2.5', cached_input: '0.25', output: '20' } },
      },
    })
    expect(Object.keys(priceOf('gpt-5')?.service_tiers ?? {})).toEqual(['flex', 'priority'])
  })

  test('keeps every digit, sound and images, and drops the prefix of the provider', () => {
    expect(priceOf('amazon.nova-2-pro-preview-20251202-v1:0')?.prices).toEqual({
      input: '2.1875',
      cached_input: '0.546875',
      input_image: '2.1875',
      input_audio: '2.1875',
      output: '17.5',
    })
    expect(priceOf('gpt-4o')?.provider).toBe('azure_openai')
    expect(priceOf('text-embedding-3-small')?.prices).toEqual({ input: '0.02', output: '0' })
  })

  test('names what it leaves out instead of calling it free', () => {
    expect(skipped).toEqual([
      'dall-e-3: not charged by the token (image_generation)',
      'ollama/llama3: has no price but 0, which is not told from an unknown one',
      'aiml/flux-pro: no kind of provider for aiml',
    ])
  })

  test('gives sheets of our form', () => {
    for (const { provider, model, valid_from, source, checked_at, max_output_tokens, ...sheet } of prices)
      expect([model, ...Value.Errors(PriceSheet, sheet)]).toEqual([model])
  })

  test('is an object', () => {
    expect(() => readLiteLlm([], { checkedAt: '2026-10-01' })).toThrow(RangeError)
  })

  test('names a model whose price cannot be said exactly, and reads all the others', () => {
    const map = {
      'gpt-noise': { input_cost_per_token: 0.1 * 3e-6, litellm_provider: 'openai', mode: 'chat' },
      'gpt-huge': { input_cost_per_token: 1e60, litellm_provider: 'openai', mode: 'chat' },
      'gpt-fine': { input_cost_per_token: 2e-6, litellm_provider: 'openai', mode: 'chat' },
    }
    const read = readLiteLlm(map, { checkedAt: '2026-10-01' })
    expect(read.prices.map(({ model }) => model)).toEqual(['gpt-fine'])
    expect(read.skipped).toEqual([expect.stringMatching(/^gpt-noise: /), expect.stringMatching(/^gpt-huge: /)])
  })

  test('knows models of Vertex by the name they are asked for with', () => {
    const entry = { input_cost_per_token: 2e-6, litellm_provider: 'vertex_ai-language-models', mode: 'chat' }
    const read = readLiteLlm({ 'vertex_ai/gemini-9-pro': entry }, { checkedAt: '2026-10-01' })
    expect(read.prices).toMatchObject([{ provider: 'google_vertex', model: 'gemini-9-pro' }])
  })
})
