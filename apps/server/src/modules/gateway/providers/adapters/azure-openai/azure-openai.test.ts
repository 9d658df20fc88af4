import { describe, expect, test } from 'vitest'
import { emptyCall } from '../../../call/call.ts'
import { noTokens } from '../../../call/events.ts'
import { askingOf, eventsOf, frameOf } from '../testing/asking.ts'
import { azureOpenAiAdapter as adapter } from './adapter.ts'

const baseUrl = 'https://acme.openai.azure.com/'
const own = { ...emptyCall, form: 'openai_chat' } as const

describe('a request', () => {
  test('names the deployment in the address and shows the key in its own header', () => {
    expect(adapter.request(askingOf(adapter, { baseUrl, model: 'our gpt' }))).toMatchObject({
      url: 'https://acme.openai.azure.com/openai/deployments/our%20gpt/chat/completions?api-version=2024-10-21',
      headers: { 'api-key': 'key-1', 'content-type': 'application/json' },
    })
  })

  test('goes to the deployment and the version that were set', () => {
    const settings = { deployment: 'prod', api_version: '2025-04-01-preview' }
    const at = (url: string) => adapter.request(askingOf(adapter, { baseUrl: url, settings }))
    const url = 'https://acme.openai.azure.com/openai/deployments/prod/chat/completions?api-version=2025-04-01-preview'
    expect(at(baseUrl)).toMatchObject({ url })
    expect(at('https://acme.openai.azure.com/openai')).toMatchObject({ url })
  })

  test('asks for embeddings at the deployment too', () => {
    const embed = { inputs: ['a'], dimensions: 3, encoding: null }
    const request = adapter.embeddings?.request(askingOf(adapter, { baseUrl, call: { ...emptyCall, embed } }))
    expect(request).toMatchObject({
      url: 'https://acme.openai.azure.com/openai/deployments/m/embeddings?api-version=2024-10-21',
      body: JSON.stringify({ model: 'm', input: ['a'], dimensions: 3 }),
    })
  })
})

const filtered = {
  choices: [],
  created: 0,
  id: '',
  model: '',
  object: '',
  prompt_filter_results: [{ prompt_index: 0, content_filter_results: { hate: { filtered: false, severity: 'safe' } } }],
}
const chunk = { id: 'c', model: 'gpt-4o-2024-08-06', object: 'chat.completion.chunk' }
const chunks = [
  filtered,
  { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
  { ...chunk, choices: [{ index: 0, delta: { content: 'Grüße' }, content_filter_results: {} }] },
  { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
  { ...chunk, choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } },
]
const stream = `${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n`

describe('a stream', () => {
  test('begins with the model that serves, although its first chunk names none', async () => {
    const events = await eventsOf(adapter, stream, [])
    expect(events).toEqual([
      { type: 'start', model: 'gpt-4o-2024-08-06', fingerprint: null, id: 'c' },
      { type: 'text', choice: 0, channel: 'text', text: 'Grüße' },
      { type: 'finish', choice: 0, reason: 'stop' },
      { type: 'usage', usage: { ...noTokens, inputTokens: 3, outputTokens: 2, source: 'upstream' } },
    ])
    for (let cut = 1; cut < stream.length; cut += 1) expect(await eventsOf(adapter, stream, [cut])).toEqual(events)
  })

  test('keeps what the filter said for callers of the same form', async () => {
    const [start, extra] = await eventsOf(adapter, stream, [], own)
    expect(start).toMatchObject({ type: 'start', model: 'gpt-4o-2024-08-06' })
    expect(extra).toMatchObject({ type: 'answer_extra', members: { prompt_filter_results: [{ prompt_index: 0 }] } })
  })

  test('that ends early is broken, also after the first chunk', () => {
    const decoder = adapter.createStreamDecoder(emptyCall)
    decoder.push(frameOf(filtered))
    expect(() => decoder.end()).toThrow(expect.objectContaining({ kind: 'broken' }))
  })
})

describe('an error', () => {
  const fault = (status: number, error: object, header = '') =>
    adapter.errorOf({
      status,
      body: JSON.stringify({ error }),
      header: (name) => (name === 'retry-after' ? header : ''),
    })

  test('of the content filter, of too long a prompt and of the quota is told apart', () => {
    const message = "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."
    expect(fault(400, { code: 'content_filter', message })).toMatchObject({ kind: 'content_filtered' })
    const long = "This model's maximum context length is 8192 tokens."
    expect(fault(400, { code: 'context_length_exceeded', message: long })).toMatchObject({ kind: 'context_too_long' })
    expect(fault(429, { code: '429', message: 'Rate limit.' }, '7')).toMatchObject({
      kind: 'rate_limited',
      retryAfterMs: 7000,
    })
    const missing = 'The API deployment for this resource does not exist.'
    expect(fault(404, { code: 'DeploymentNotFound', message: missing })).toMatchObject({
      kind: 'bad_request',
      message: missing,
    })
  })
})

test('its list shows that the key works and names nothing that can be called', () => {
  expect(adapter.models?.parse(JSON.stringify({ data: [{ id: 'gpt-4o-2024-08-06', status: 'succeeded' }] }))).toEqual(
    [],
  )
  expect(() => adapter.models?.parse('{}')).toThrow(expect.objectContaining({ kind: 'invalid' }))
})
