import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { makeBudget, modelNamed } from '../testing/money.ts'
import { onlyPolicy } from '../testing/policies.ts'
import { addProvider, ask } from '../testing/support.ts'
import { openUpstream, say, type Upstream } from '../testing/upstream.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream

beforeAll(async () => {
  world = await openWorld()
  upstream = await openUpstream()
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

let made = 0

beforeEach(async () => {
  made += 1
  tenant = await world.tenant(`models-${made}`)
  await addProvider(tenant.admin, 'local', upstream, {
    models: ['test-model', 'other-model', 'text-embed-1', 'glob-*'],
  })
  upstream.reply(say('Hi.'))
})

async function change(name: string, body: object, headers: Record<string, string> = {}) {
  const { id } = await modelNamed(tenant.admin, name)
  return tenant.admin.patch(`/gateway/models/${id}`, body, { headers })
}

const names = (answer: { body: { data: { name: string }[] } }) => answer.body.data.map(({ name }) => name)
const list = (query: Record<string, string>) => tenant.admin.get('/gateway/models', { query })

describe('the catalogue', () => {
  test('says what can be asked of a model and how each field gets there', async () => {
    const [model] = (await list({ q: 'test-model' })).body.data
    expect(model).toMatchObject({
      key: 'local/test-model',
      aliases: [],
      enabled: true,
      capabilities: { tools: true, vision: true, embeddings: false, streaming: true, audio_out: false },
      field_support: { '/seed': 'native', '/top_k': 'unsupported', '/store': 'emulated' },
      context_tokens: null,
      max_output_tokens: null,
      prices: null,
      upcoming_prices: [],
    })
  })

  test('is filtered by what a model can do', async () => {
    expect(names(await list({ capability: 'embeddings' }))).toEqual(['echo-embed-1', 'text-embed-1'])
    expect(names(await list({ capability: 'vision' }))).toEqual(['other-model', 'test-model'])
    expect(names(await list({ capability: 'audio_out' }))).toEqual([])
  })

  test('knows the limits that vendors publish', async () => {
    await addProvider(tenant.admin, 'vendor', upstream, { kind: 'openai', models: ['gpt-4.1-mini'] })
    const [model] = (await list({ q: 'gpt-4.1-mini' })).body.data
    expect([model.context_tokens, model.max_output_tokens]).toEqual([1_047_576, 32_768])
  })
})

describe('a model that is taken away', () => {
  test('says when, in the catalogue and on each answer, until nobody says so any more', async () => {
    const dates = { deprecated_at: '2027-01-01T00:00:00.000Z', retires_at: '2027-06-30T12:00:00.000Z' }
    expect((await change('test-model', dates)).body.data).toMatchObject(dates)
    expect(await modelNamed(tenant.admin, 'test-model')).toMatchObject(dates)
    const told = await ask(tenant.admin, 'hello', { provider: 'local', model: 'test-model' })
    expect(told.headers['x-gateway-model-retires']).toBe(dates.retires_at)
    const body = { model: 'test-model', messages: [{ role: 'user', content: 'hello' }] }
    const raw = await tenant.admin.post('/gateway/openai/v1/chat/completions', body)
    expect(raw.headers['x-gateway-model-retires']).toBe(dates.retires_at)
    await change('test-model', { retires_at: null })
    const untold = await ask(tenant.admin, 'hello', { provider: 'local', model: 'test-model' })
    expect([untold.status, untold.headers['x-gateway-model-retires']]).toEqual([200, undefined])
  })
})

describe('an alias', () => {
  test('is another name for one model', async () => {
    const changed = await change('test-model', { aliases: ['fast'] })
    expect(changed.body.data).toMatchObject({ name: 'test-model', aliases: ['fast'] })
    for (const asked of [{ model: 'fast' }, { model: 'local/fast' }, { provider: 'local', model: 'fast' }]) {
      expect(expectStatus(await ask(tenant.admin, 'hello', asked), 200).body.data.provider).toBe('local')
      expect(upstream.received.at(-1)?.body.model).toBe('test-model')
    }
    await change('test-model', { aliases: null })
    expect((await ask(tenant.admin, 'hello', { model: 'fast' })).body.error_code).toBe('GW-001')
  })

  test('is a name that callers find', async () => {
    await change('test-model', { aliases: ['fast', 'other-model'] })
    await change('text-embed-1', { enabled: false })
    const { data } = (await tenant.admin.get('/gateway/openai/v1/models')).body
    const ids = data.map(({ id }: { id: string }) => id).filter((id: string) => !id.startsWith('echo'))
    expect(ids).toEqual(['fast', 'other-model', 'test-model'])
  })

  test('stands before models of its name', async () => {
    await change('test-model', { aliases: ['other-model'] })
    await ask(tenant.admin, 'hello', { model: 'other-model' })
    expect(upstream.received.at(-1)?.body.model).toBe('test-model')
  })

  test('is taken once, and not from a route', async () => {
    await change('test-model', { aliases: ['fast', 'quick'] })
    expect((await change('test-model', { aliases: ['fast'] })).status).toBe(200)
    const again = await change('other-model', { aliases: ['slow', 'fast'] })
    expect([again.status, again.body.error_code]).toEqual([409, 'GW-031'])
    expect((await modelNamed(tenant.admin, 'other-model')) as object).toMatchObject({ aliases: [] })
    const targets = [{ provider: 'local', model: 'test-model' }]
    expectStatus(await tenant.admin.post('/gateway/routes', { name: 'main', targets }), 201)
    expect((await change('other-model', { aliases: ['main'] })).body.error_code).toBe('GW-031')
  })

  test.each(['a/b', '', 'with space', '-x'])('%j is no name', async (alias) => {
    expect((await change('test-model', { aliases: [alias] })).status).toBe(400)
  })
})

describe('a model that is switched off', () => {
  test('is not asked, by no name, until it goes back to what it was', async () => {
    await change('test-model', { enabled: false, aliases: ['fast'] })
    for (const model of ['test-model', 'local/test-model', 'fast'])
      expect((await ask(tenant.admin, 'hello', { model })).body.error_code).toBe('GW-001')
    expect(names(await list({ enabled: 'false' }))).toEqual(['test-model'])
    await change('test-model', { enabled: null })
    expect((await ask(tenant.admin, 'hello')).status).toBe(200)
  })
})

const longText = Array.from({ length: 40 }, (_, n) => `Item ${n} costs ${n * 7} euros.`).join(' ')

describe('a limit', () => {
  test('of what a model reads is kept to', async () => {
    expectStatus(await change('test-model', { context_tokens: 50 }), 200)
    const long = await ask(tenant.admin, longText)
    expect([long.status, long.body.error_code]).toEqual([422, 'GW-021'])
    expect((await ask(tenant.admin, 'short')).status).toBe(200)
    expect((await change('test-model', { context_tokens: null })).body.data.context_tokens).toBe(null)
    expect((await ask(tenant.admin, longText)).status).toBe(200)
  })

  test('of what it writes is sent and bounds what a budget sets aside', async () => {
    const prices = { currency: 'USD', prices: { input: '0', output: '1000000' } }
    await change('test-model', { price: prices, max_output_tokens: 1000 })
    await makeBudget(tenant.admin, { amount: '100' })
    expect((await ask(tenant.admin, 'hello')).body.error_code).toBe('GW-009')
    await change('test-model', { max_output_tokens: 50 })
    expect((await ask(tenant.admin, 'hello')).status).toBe(200)
    expect(upstream.received.at(-1)?.body.max_tokens).toBe(50)
  })
})

describe('a change', () => {
  test('is refused when somebody else made one since it was read', async () => {
    const { etag = '' } = (await change('test-model', { aliases: ['one'] })).headers
    const headers = { 'if-match': etag }
    expect((await change('test-model', { aliases: ['two'] }, headers)).status).toBe(200)
    expect((await change('test-model', { aliases: ['three'] }, headers)).body.error_code).toBe('API-012')
    const [listed] = (await list({ q: 'test-model' })).body.data
    expect((await change('test-model', { aliases: ['four'] }, { 'if-match': listed.etag })).status).toBe(200)
  })

  test('takes an administrator, a model of the tenant and known members', async () => {
    const { id } = await modelNamed(tenant.admin, 'test-model')
    const engineer = await tenant.as('ai_engineer')
    expect((await engineer.patch(`/gateway/models/${id}`, { aliases: [] })).status).toBe(403)
    const other = await world.tenant(`models-other-${made}`)
    expect((await other.admin.patch(`/gateway/models/${id}`, { aliases: [] })).status).toBe(404)
    expect((await change('test-model', { name: 'x' })).status).toBe(400)
    expect((await change('test-model', { context_tokens: 0 })).status).toBe(400)
  })
})

describe('what a model cannot do', () => {
  const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
  const pictured = { messages: [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, picture] }] }
  const image = '/messages/content/image_url'

  test('is known of some by their names, published by field and filtered by', async () => {
    const models = ['gpt-4.1', 'gpt-3.5-turbo', 'o3-mini-2025-01-31']
    await addProvider(tenant.admin, 'vendor', upstream, { kind: 'openai', models })
    const [old] = (await list({ q: 'gpt-3.5' })).body.data
    expect(old).toMatchObject({
      capabilities: { vision: false, reasoning: false, tools: true },
      field_support: { [image]: 'unsupported', '/reasoning/effort': 'unsupported', '/tools': 'native' },
    })
    expect(names(await list({ capability: 'vision' }))).toEqual(['gpt-4.1', 'other-model', 'test-model'])
    expect(names(await list({ capability: 'reasoning', q: 'o3-mini' }))).toEqual(['o3-mini-2025-01-31'])
    const refused = await ask(tenant.admin, '', { model: 'gpt-3.5-turbo', ...pictured })
    expect([refused.status, refused.body.error_code]).toEqual([422, 'GW-022'])
    expectStatus(await ask(tenant.admin, '', { model: 'gpt-4.1', ...pictured }), 200)
  })

  test('is said by the tenant, whose word counts, until it takes it back', async () => {
    expectStatus(await ask(tenant.admin, '', pictured), 200)
    const changed = (await change('test-model', { capabilities: { vision: false, tools: false } })).body.data
    expect(changed.capabilities).toMatchObject({ vision: false, tools: false, parallel_tools: true })
    expect(changed.field_support).toMatchObject({ [image]: 'unsupported', '/tool_choice': 'unsupported' })
    const refused = await ask(tenant.admin, '', pictured)
    expect([refused.body.error_code, refused.body.errors[0].pointer]).toEqual(['GW-022', '/messages/0/content'])
    expect(names(await list({ capability: 'vision' }))).toEqual(['other-model'])
    // A null for one capability leaves the others unchanged.
    expect((await change('test-model', { capabilities: { vision: null } })).body.data.capabilities).toMatchObject({
      ...{ vision: true, tools: false },
    })
    expectStatus(await ask(tenant.admin, '', pictured), 200)
    expect((await change('test-model', { capabilities: null })).body.data.capabilities.tools).toBe(true)
  })

  test('is overruled where the tenant knows better, but not where the provider has no form for it', async () => {
    await addProvider(tenant.admin, 'vendor', upstream, { kind: 'openai', models: ['gpt-3.5-turbo'] })
    const { data } = (await change('gpt-3.5-turbo', { capabilities: { vision: true } })).body
    expect(data).toMatchObject({ capabilities: { vision: true, files: false }, field_support: { [image]: 'native' } })
    expectStatus(await ask(tenant.admin, '', { model: 'gpt-3.5-turbo', ...pictured }), 200)
    await addProvider(tenant.admin, 'ollama', upstream, { kind: 'ollama', models: ['llama-1'] })
    const heard = (await change('llama-1', { capabilities: { audio_in: true } })).body.data
    expect(heard).toMatchObject({ capabilities: { audio_in: false } })
  })

  test('leads a route to a target that can, and is left out with a trace where the policy says so', async () => {
    await change('test-model', { capabilities: { vision: false, reasoning: false } })
    const targets = ['test-model', 'other-model'].map((model, priority) => ({ provider: 'local', model, priority }))
    expectStatus(await tenant.admin.post('/gateway/routes', { name: 'seeing', targets }), 201)
    const { data } = expectStatus(await ask(tenant.admin, '', { model: 'seeing', ...pictured }), 200).body
    expect(upstream.received.at(-1)?.body.model).toBe('other-model')
    const { steps } = (await tenant.admin.get(`/gateway/requests/${data.id}`)).body.data
    const left = steps.find(({ name }: { name: string }) => name === 'routing').left_out
    expect(left).toMatchObject([{ model: 'test-model', reason: 'unsupported', field: '/messages/0/content' }])
    await onlyPolicy(tenant, { upstream: { on_unsupported: 'drop' } })
    const body = { model: 'test-model', messages: [{ role: 'user', content: 'hello' }], reasoning_effort: 'low' }
    const raw = expectStatus(await tenant.admin.post('/gateway/openai/v1/chat/completions', body), 200)
    expect(raw.headers['x-gateway-dropped-params']).toBe('/reasoning')
    expect(upstream.received.at(-1)?.body).not.toHaveProperty('reasoning_effort')
  })
})
