import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { kinds, pieces } from '../testing/kinds.ts'
import { addProvider, ask, framesOf, textOf } from '../testing/support.ts'
import { openUpstream, raw, type Upstream } from '../testing/upstream.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('kinds')
  upstream = await openUpstream()
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

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
    upstream.reply(pieces(given.events, given.streamType))
    const answer = await ask(tenant.admin, 'hello', { model, stream: true })
    expect(textOf(framesOf(answer.text))).toBe('Hello you.')
    const { path, body } = upstream.received.at(-1) ?? {}
    expect({ path, stream: body.stream }).toEqual(
      given.streamPath === undefined
        ? { path: given.path, stream: true }
        : { path: given.streamPath, stream: undefined },
    )
  })

  test('embeds', async () => {
    upstream.reply(raw(JSON.stringify(given.embedding)))
    const body = { model: given.embeds ?? model, input: 'hello' }
    const answer = await tenant.admin.post('/gateway/openai/v1/embeddings', body)
    expect(answer.body).toMatchObject({ data: [{ index: 0, embedding: [0.5, 0.25] }], usage: { prompt_tokens: 2 } })
  })

  test('refuses what it does not take, with the place of it', async () => {
    const messages = [{ role: 'user', content: 'hello' }]
    const body = { model, messages, logit_bias: { 1: 1 }, user: 'u', service_tier: 'auto' }
    const answer = await tenant.admin.post('/gateway/openai/v1/chat/completions', body)
    expect([answer.status, answer.body.error.code]).toEqual([422, 'GW-022'])
  })

  test('is tested by its list of models and a call', async () => {
    upstream.reply(raw(JSON.stringify(given.models.body)), raw(JSON.stringify(given.answer)))
    const { data } = (await tenant.admin.post(`/gateway/providers/${provider.id}/test`, { model })).body
    expect(data).toMatchObject({ ok: true, models_found: given.models.names })
    expect(data.checks.map(({ name }: { name: string }) => name)).toEqual([
      'resolve',
      'dial',
      'models:main',
      'call:main',
    ])
    expect(upstream.received.slice(-2).map(({ path }) => path)).toEqual([given.models.path, given.path])
  })
})

test.each([false, true])(
  'a signature of Gemini comes back to it from callers that keep thinking (stream: %s)',
  async (stream) => {
    const calls = [{ functionCall: { id: 'c1', name: 'look', args: { in: 'Bonn' } }, thoughtSignature: 'c2ln' }]
    const said = { candidates: [{ content: { role: 'model', parts: calls }, finishReason: 'STOP' }] }
    const events = `data: ${JSON.stringify(said)}\n\n`
    upstream.reply(stream ? raw(events, 'text/event-stream') : raw(JSON.stringify(said)))
    const question = { role: 'user', content: 'Weather?' }
    const body = {
      model: 'google_gemini-model',
      max_tokens: 100,
      tools: [{ name: 'look', input_schema: { type: 'object' } }],
    }
    const post = (more: object) => tenant.admin.post('/gateway/anthropic/v1/messages', { ...body, ...more })
    const answer = await post({ messages: [question], stream })
    const thinking = { type: 'thinking', thinking: '', signature: 'google#c2ln' }
    const use = { type: 'tool_use', id: 'c1', name: 'look', input: { in: 'Bonn' } }
    if (stream) expect(answer.text).toContain('"signature":"google#c2ln"')
    else expect(answer.body.content).toEqual([thinking, use])
    upstream.reply(raw(JSON.stringify(said)))
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'rain' }] }
    await post({ messages: [question, { role: 'assistant', content: [thinking, use] }, result] })
    expect(upstream.received.at(-1)?.body.contents[1]).toEqual({ role: 'model', parts: calls })
  },
)

test('a setting that means nothing to the kind is refused', async () => {
  const body = { name: 'odd', kind: 'mistral', settings: { deployment: 'x' } }
  const answer = await tenant.admin.post('/gateway/providers', body)
  expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, '/settings/deployment'])
  const version = { name: 'odd', kind: 'azure_openai', base_url: upstream.url, settings: { api_version: 'latest' } }
  expect((await tenant.admin.post('/gateway/providers', version)).status).toBe(400)
  const settings = { organization: 'org-acme', project: 'proj_1' }
  const compatible = { name: 'odd', kind: 'openai_compatible', base_url: upstream.url, settings }
  expect((await tenant.admin.post('/gateway/providers', compatible)).status).toBe(400)
  expect((await addProvider(tenant.admin, 'openai-own', upstream, { kind: 'openai', settings })).settings).toEqual(
    settings,
  )
})

test.each([
  ['google_vertex', { region: 'eu' }, '/settings/project'],
  ['aws_bedrock', undefined, '/settings/region'],
  ['aws_bedrock', { region: 'x.example.org' }, '/settings/region'],
])('the kind %s is not made with the settings %j', async (kind, settings, pointer) => {
  const answer = await tenant.admin.post('/gateway/providers', { name: 'odd', kind, settings })
  expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, pointer])
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
