import { describe, expect, test } from 'vitest'
import { type CanonicalCall, emptyCall } from '../../../call/call.ts'
import { noTokens } from '../../../call/events.ts'
import { askingOf } from '../testing/asking.ts'
import { awsBedrockAdapter as adapter } from './adapter.ts'

async function sent(model: string, embed: CanonicalCall['embed']) {
  const request = await adapter.embeddings?.request(askingOf(adapter, { call: { ...emptyCall, embed }, model }))
  return { url: request?.url, body: JSON.parse(String(request?.body)) }
}

const titan = 'amazon.titan-embed-text-v2:0'
const start = { type: 'start', model: '', fingerprint: null }

describe('models of Titan', () => {
  test('are given one text', async () => {
    const { url, body } = await sent(titan, { inputs: ['a'], dimensions: 256, encoding: 'base64' })
    expect(url).toMatch(/\/model\/amazon\.titan-embed-text-v2%3A0\/invoke$/)
    expect(body).toEqual({ inputText: 'a', dimensions: 256 })
    expect(adapter.embeddings?.decode('{"embedding":[0.5,0.25],"inputTextTokenCount":2}')).toEqual([
      start,
      { type: 'embedding', index: 0, vector: [0.5, 0.25] },
      { type: 'usage', usage: { ...noTokens, inputTokens: 2, outputTokens: 0, source: 'upstream' } },
    ])
  })

  test('are not given two', async () => {
    const two = sent(titan, { inputs: ['a', 'b'], dimensions: null, encoding: null })
    await expect(two).rejects.toMatchObject({ kind: 'bad_request', message: /one text at a time/ })
  })
})

test('models of Cohere are given a list', async () => {
  const { body } = await sent('cohere.embed-v4:0', { inputs: ['a', 'b'], dimensions: null, encoding: 'base64' })
  expect(body).toEqual({
    texts: ['a', 'b'],
    input_type: 'search_document',
    embedding_types: ['float'],
    truncate: 'NONE',
  })
  const vectors = [start, { type: 'embedding', index: 0, vector: [0.5] }, { type: 'embedding', index: 1, vector: [1] }]
  expect(adapter.embeddings?.decode('{"embeddings":{"float":[[0.5],[1]]}}')).toEqual(vectors)
  expect(adapter.embeddings?.decode('{"embeddings":[[0.5],[1]]}')).toEqual(vectors)
})

test('other models are asked by nobody, and other answers are none', async () => {
  const other = sent('amazon.nova-lite-v1:0', { inputs: ['a'], dimensions: null, encoding: null })
  await expect(other).rejects.toMatchObject({ kind: 'bad_request' })
  expect(() => adapter.embeddings?.decode('{}')).toThrow(expect.objectContaining({ kind: 'invalid' }))
})
