import { expect, test } from 'vitest'
import { readPortkey } from './portkey.ts'

/** In the form of the published files: cents per token, a first entry of zeros, batch prices beside. */
const file: unknown = JSON.parse(`{
  "default": { "pricing_config": { "pay_as_you_go": { "request_token": { "price": 0 }, "response_token": { "price": 0 } },
    "calculate": { "request": { "operation": "sum", "operands": [] } }, "currency": "USD" } },
  "claude-3-5-sonnet-20241022": { "pricing_config": {
    "pay_as_you_go": {
      "request_token": { "price": 0.0003 }, "response_token": { "price": 0.0015 },
      "cache_read_input_token": { "price": 0.00003 }, "cache_write_input_token": { "price": 0.000375 },
      "additional_units": { "cache_write_1h": { "price": 0.0006 }, "web_search": { "price": 1 } } },
    "batch_config": { "request_token": { "price": 0.00015 }, "response_token": { "price": 0.00075 } } } },
  "gpt-4o": { "pricing_config": { "pay_as_you_go": {
    "request_token": { "price": 0.00025 }, "response_token": { "price": 0.001 },
    "cache_write_input_token": { "price": 0 }, "cache_read_input_token": { "price": 0.000125 } } } },
  "text-embedding-3-small": { "pricing_config": { "pay_as_you_go": { "request_token": { "price": 0.000002 }, "response_token": { "price": 0 } } } },
  "text-moderation-004": { "pricing_config": { "pay_as_you_go": { "request_token": { "price": 0 }, "response_token": { "price": 0 } } } },
  "dall-e-3": { "pricing_config": { "pay_as_you_go": { "image": { "hd": { "default": { "price": 8 } } } } } }
}`)

const { prices, skipped } = readPortkey(file, { provider: 'anthropic', checkedAt: '2026-10-01' })
const pricesOf = (model: string) => prices.find((price) => price.model === model)?.prices

test('cents per token become dollars per million, batch prices and tools left out', () => {
  expect(pricesOf('claude-3-5-sonnet-20241022')).toEqual({
    input: '3',
    cached_input: '0.3',
    cache_write_5m: '3.75',
    cache_write_1h: '6',
    output: '15',
  })
})

test('a cache that costs 0 costs what the input costs, and an output of 0 stays 0', () => {
  expect(pricesOf('gpt-4o')).toEqual({ input: '2.5', cached_input: '1.25', output: '10' })
  expect(pricesOf('text-embedding-3-small')).toEqual({ input: '0.02', output: '0' })
})

test('models without a price of a token are named', () => {
  expect(skipped).toEqual(['text-moderation-004: has no price of a token', 'dall-e-3: has no price of a token'])
})

test('names a model whose price cannot be said exactly, and reads all the others', () => {
  const paid = (price: number) => ({ pricing_config: { pay_as_you_go: { request_token: { price } } } })
  const facts = { provider: 'openai', checkedAt: '2026-10-01' }
  const read = readPortkey({ noise: paid(0.0001 * 3), fine: paid(0.0002) }, facts)
  expect(read.prices.map(({ model }) => model)).toEqual(['fine'])
  expect(read.skipped).toEqual([expect.stringMatching(/^noise: /)])
})
