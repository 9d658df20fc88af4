import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../test/support/world.ts'
import { addProvider, ask, framesOf, textOf } from './test/support.ts'
import { openUpstream, raw, type Upstream } from './test/upstream.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('kinds')
  upstream = await openUpstream()
}, 60_000)

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

interface Kind {
  readonly settings?: object
  /** Of the address that the provider is given. */
  readonly base: string
  readonly path: string
  readonly answer: object
  readonly events: readonly string[]
  readonly streamType: string
  readonly models: { readonly path: string; readonly body: object; readonly names: readonly string[] }
  readonly embedding: object
}

const sse = (events: readonly object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`)
const usage = { prompt_tokens: 3, completion_tokens: 4 }
const openAiAnswer = { choices: [{ message: { content: 'Hello you.' }, finish_reason: 'stop' }], usage }
const openAiEvents = [
  ...sse([
    { choices: [{ index: 0, delta: { content: 'Hello ' } }] },
    { choices: [{ index: 0, delta: { content: 'you.' }, finish_reason: 'stop' }], usage },
  ]),
  'data: [DONE]\n\n',
]
const openAiEmbedding = { data: [{ index: 0, embedding: [0.5, 0.25] }], usage: { prompt_tokens: 2 } }
const billed = { billed_units: { input_tokens: 3, output_tokens: 4 } }
const said = (text: string) => ({ delta: { message: { content: { text } } } })
const ollamaEnd = { done: true, done_reason: 'stop', prompt_eval_count: 3, eval_count: 4 }

const kinds: Readonly<Record<string, Kind>> = {
  azure_openai: {
    settings: { deployment: 'prod', api_version: '2025-01-01-preview' },
    base: '',
    path: '/openai/deployments/prod/chat/completions?api-version=2025-01-01-preview',
    answer: openAiAnswer,
    events: openAiEvents,
    streamType: 'text/event-stream',
    models: {
      path: '/openai/models?api-version=2025-01-01-preview',
      body: { data: [{ id: 'gpt-4o-2024-08-06' }] },
      names: [],
    },
    embedding: openAiEmbedding,
  },
  mistral: {
    base: '/v1',
    path: '/v1/chat/completions',
    answer: openAiAnswer,
    events: openAiEvents,
    streamType: 'text/event-stream',
    models: { path: '/v1/models', body: { data: [{ id: 'mistral-large-2411' }] }, names: ['mistral-large-2411'] },
    embedding: openAiEmbedding,
  },
  cohere: {
    base: '',
    path: '/v2/chat',
    answer: {
      finish_reason: 'COMPLETE',
      message: { content: [{ type: 'text', text: 'Hello you.' }] },
      usage: billed,
    },
    events: sse([
      { type: 'message-start', id: 'x' },
      { type: 'content-delta', index: 0, ...said('Hello ') },
      { type: 'content-delta', index: 0, ...said('you.') },
      { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage: billed } },
    ]),
    streamType: 'text/event-stream',
    models: {
      path: '/v1/models?page_size=1000',
      body: { models: [{ name: 'command-a-03-2025', endpoints: ['chat'] }] },
      names: ['command-a-03-2025'],
    },
    embedding: { embeddings: { float: [[0.5, 0.25]] }, meta: { billed_units: { input_tokens: 2 } } },
  },
  ollama: {
    base: '',
    path: '/api/chat',
    answer: { model: 'm', message: { content: 'Hello you.' }, ...ollamaEnd },
    events: [
      { model: 'm', message: { content: 'Hello ' }, done: false },
      { model: 'm', message: { content: 'you.' }, done: false },
      { model: 'm', message: { content: '' }, ...ollamaEnd },
    ].map((line) => `${JSON.stringify(line)}\n`),
    streamType: 'application/x-ndjson',
    models: { path: '/api/tags', body: { models: [{ name: 'llama3.2:latest' }] }, names: ['llama3.2:latest'] },
    embedding: { model: 'm', embeddings: [[0.5, 0.25]], prompt_eval_count: 2 },
  },
}

describe.each(Object.entries(kinds))('a provider of the kind %s', (kind, given) => {
  const model = `${kind}-model`
  let provider: { id: string }

  beforeAll(async () => {
    provider = await addProvider(tenant.admin, kind.replace('_', '-'), upstream, {
      kind,
      base_url: upstream.url.replace(/\/v1$/, given.base),
      models: [`${kind}-*`],
      ...(given.settings === undefined ? {} : { settings: given.settings }),
    })
  })

  test('answers', async () => {
    upstream.reply(raw(JSON.stringify(given.answer)))
    const { data } = expectStatus(await ask(tenant.admin, 'hello', { model }), 200).body
    expect(data.choices[0].message.content).toBe('Hello you.')
    expect(data.usage).toMatchObject({ prompt_tokens: 3, completion_tokens: 4 })
    expect(upstream.received.at(-1)?.path).toBe(given.path)
  })

  test('streams', async () => {
    upstream.reply(raw(given.events.join(''), given.streamType))
    const answer = await ask(tenant.admin, 'hello', { model, stream: true })
    expect(textOf(framesOf(answer.text))).toBe('Hello you.')
    expect(upstream.received.at(-1)?.body.stream).toBe(true)
  })

  test('embeds', async () => {
    upstream.reply(raw(JSON.stringify(given.embedding)))
    const answer = await tenant.admin.post('/gateway/openai/v1/embeddings', { model, input: 'hello' })
    expect(answer.body).toMatchObject({ data: [{ index: 0, embedding: [0.5, 0.25] }], usage: { prompt_tokens: 2 } })
  })

  test('refuses what it does not take, with the place of it', async () => {
    const messages = [{ role: 'user', content: 'hello' }]
    const body = { model, messages, logit_bias: { 1: 1 }, user: 'u', service_tier: 'auto' }
    const answer = await tenant.admin.post('/gateway/openai/v1/chat/completions', body)
    expect([answer.status, answer.body.error.code]).toEqual([422, 'GW-022'])
  })

  test('is tested by its list of models', async () => {
    upstream.reply(raw(JSON.stringify(given.models.body)))
    const { data } = (await tenant.admin.post(`/gateway/providers/${provider.id}/test`, {})).body
    expect(data).toMatchObject({ ok: true, models_found: given.models.names })
    expect(upstream.received.at(-1)?.path).toBe(given.models.path)
  })
})

test('a setting that means nothing to the kind is refused', async () => {
  const body = { name: 'odd', kind: 'mistral', settings: { deployment: 'x' } }
  const answer = await tenant.admin.post('/gateway/providers', body)
  expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, '/settings/deployment'])
  const version = { name: 'odd', kind: 'azure_openai', base_url: upstream.url, settings: { api_version: 'latest' } }
  expect((await tenant.admin.post('/gateway/providers', version)).status).toBe(400)
})

test('settings are shown and changed', async () => {
  const made = await addProvider(tenant.admin, 'azure-2', upstream, {
    kind: 'azure_openai',
    settings: { deployment: 'a' },
  })
  expect(made.settings).toEqual({ deployment: 'a' })
  const changed = await tenant.admin.patch(`/gateway/providers/${made.id}`, { settings: { deployment: 'b' } })
  expect(changed.body.data.settings).toEqual({ deployment: 'b' })
})
