import { describe, expect, test } from 'vitest'
import { type CanonicalCall, emptyCall } from '../../../call/call.ts'
import { noTokens } from '../../../call/events.ts'
import { askingOf } from '../testing/asking.ts'
import { googleGeminiAdapter as adapter } from './adapter.ts'

const base = 'https://generativelanguage.googleapis.com/v1beta'

describe('a request', () => {
  test('names the model in the address and shows the key in its own header', () => {
    expect(adapter.request(askingOf(adapter, { model: 'gemini-2.5-flash' }))).toMatchObject({
      url: `${base}/models/gemini-2.5-flash:generateContent`,
      headers: { 'x-goog-api-key': 'key-1', accept: 'application/json' },
    })
    expect(adapter.request(askingOf(adapter, { model: 'gemini-2.5-flash', stream: true }))).toMatchObject({
      url: `${base}/models/gemini-2.5-flash:streamGenerateContent?alt=sse`,
      headers: { accept: 'text/event-stream' },
    })
  })

  test.each([
    ['models/gemini-2.5-pro', 'models/gemini-2.5-pro'],
    ['tunedModels/ours', 'tunedModels/ours'],
    ['../cachedContents/x', 'models/..%2FcachedContents%2Fx'],
  ])('for the model %s goes to %s', (model, path) => {
    const baseUrl = 'https://proxy.example.org/v1beta/'
    expect(adapter.request(askingOf(adapter, { model, baseUrl }))).toMatchObject({
      url: `https://proxy.example.org/v1beta/${path}:generateContent`,
    })
  })
})

describe('embeddings', () => {
  const request = (embed: CanonicalCall['embed']) =>
    adapter.embeddings?.request(askingOf(adapter, { call: { ...emptyCall, embed }, model: 'gemini-embedding-001' }))

  test('are asked for and read', () => {
    const one = (text: string) => ({
      model: 'models/gemini-embedding-001',
      content: { parts: [{ text }] },
      outputDimensionality: 256,
    })
    expect(request({ inputs: ['a', 'b'], dimensions: 256, encoding: 'base64' })).toMatchObject({
      url: `${base}/models/gemini-embedding-001:batchEmbedContents`,
      body: JSON.stringify({ requests: [one('a'), one('b')] }),
    })
    const answer = { embeddings: [{ values: [0.5] }, { values: [0.25] }], usageMetadata: { promptTokenCount: 2 } }
    expect(adapter.embeddings?.decode(JSON.stringify(answer))).toEqual([
      { type: 'start', model: '', fingerprint: null },
      { type: 'embedding', index: 0, vector: [0.5] },
      { type: 'embedding', index: 1, vector: [0.25] },
      { type: 'usage', usage: { ...noTokens, inputTokens: 2, outputTokens: 0, source: 'upstream' } },
    ])
    expect(() => adapter.embeddings?.decode('{}')).toThrow(expect.objectContaining({ kind: 'invalid' }))
  })

  test('are not made of tokens', () => {
    expect(() => request({ inputs: [[1]], dimensions: null, encoding: null })).toThrow(/lists of tokens/)
  })
})

describe('an error', () => {
  const fault = (status: number, error: object, header: Readonly<Record<string, string>> = {}) =>
    adapter.errorOf({ status, body: JSON.stringify({ error }), header: (name) => header[name] ?? '' })

  test('is told apart by its status, and where that says less by its details', () => {
    const invalid = { code: 400, status: 'INVALID_ARGUMENT', message: 'API key not valid.' }
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }]
    expect(fault(400, { ...invalid, details }).kind).toBe('credential')
    expect(fault(400, { status: 'INVALID_ARGUMENT', message: 'Bad schema.' })).toMatchObject({
      kind: 'bad_request',
      message: 'Bad schema.',
    })
    expect(fault(403, { status: 'PERMISSION_DENIED' }).kind).toBe('credential')
    expect(fault(404, { status: 'NOT_FOUND', message: 'No such model.' }).kind).toBe('bad_request')
    expect(fault(503, { status: 'UNAVAILABLE' }).kind).toBe('server_error')
    expect(fault(504, { status: 'DEADLINE_EXCEEDED' }).kind).toBe('timeout')
    const message = 'The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).'
    expect(fault(400, { status: 'INVALID_ARGUMENT', message }).kind).toBe('context_too_long')
  })

  test('says when to try again, in its header or in its details', () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.074824224s' }]
    const limited = { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota.', details }
    expect(fault(429, limited)).toMatchObject({ kind: 'rate_limited', retryAfterMs: 34_075 })
    expect(fault(429, limited, { 'retry-after': '7' }).retryAfterMs).toBe(7000)
  })

  test('may be a list, or nothing that can be read', () => {
    const body = JSON.stringify([{ error: { code: 400, message: 'Bad.' } }])
    expect(adapter.errorOf({ status: 400, body, header: () => '' }).message).toBe('Bad.')
    const html = adapter.errorOf({ status: 502, body: '<html>', header: () => '' })
    expect([html.kind, html.message]).toEqual(['server_error', 'status 502'])
  })
})

test('its models that answer or embed are listed', () => {
  const models = [
    { name: 'models/gemini-2.5-flash', supportedGenerationMethods: ['generateContent', 'countTokens'] },
    { name: 'models/gemini-embedding-001', supportedGenerationMethods: ['embedContent'] },
    { name: 'models/imagen-4', supportedGenerationMethods: ['predict'] },
  ]
  const names = ['gemini-2.5-flash', 'gemini-embedding-001']
  expect(adapter.models?.parse(JSON.stringify({ models, nextPageToken: 'x' }))).toEqual(names)
  expect(() => adapter.models?.parse('[]')).toThrow(expect.objectContaining({ kind: 'invalid' }))
})
