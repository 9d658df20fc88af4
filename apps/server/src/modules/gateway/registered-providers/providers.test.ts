import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { addProvider, ask } from '../testing/support.ts'
import { fail, openUpstream, raw, say, type Upstream } from '../testing/upstream.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('providers')
  upstream = await openUpstream()
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

const secret = { id: 'main', value: 'sk-test-0123456789abcdef' }
const register = (body: object) => tenant.admin.post('/gateway/providers', { kind: 'openai_compatible', ...body })

describe('registering a provider', () => {
  test('every tenant begins with the demo provider', async () => {
    const { data } = (await (await world.tenant('begin')).admin.get('/gateway/providers')).body
    expect(data).toMatchObject([{ name: 'echo', kind: 'echo', status: 'enabled', offline: true, secrets: [] }])
  })

  test.each([
    ['http://169.254.169.254/latest'],
    ['https://[::1]/v1'],
    ['https://10.0.0.1/v1'],
    ['http://93.184.216.34/v1'],
    ['https://user:pass@api.example.com/v1'],
  ])('C50 the address %s is refused by the network guard', async (base_url) => {
    const answer = await register({ name: 'bad', base_url })
    expect([answer.status, answer.body.error_code]).toEqual([422, 'GW-023'])
  })

  test.each([
    [{ name: 'no-address' }],
    [{ name: 'e', kind: 'echo', base_url: 'https://api.example.com/v1' }],
    [{ name: 'twice', base_url: 'http://127.0.0.1:9/v1', secrets: [secret, secret] }],
    [{ name: 'Upper', base_url: 'http://127.0.0.1:9/v1' }],
    [{ name: 'other-kind', kind: 'nobody-makes-it' }],
  ])('%j is not valid', async (body) => {
    expect((await register(body)).status).toBe(400)
  })

  test('a name is taken once', async () => {
    await addProvider(tenant.admin, 'taken', upstream)
    expect((await register({ name: 'taken', base_url: upstream.url })).body.error_code).toBe('GW-031')
  })

  test('with a test first, a refused key is refused here', async () => {
    upstream.reply(fail(401))
    const answer = await register({ name: 'untested', base_url: upstream.url, secrets: [secret], test: true })
    expect([answer.status, answer.body.error_code]).toEqual([502, 'GW-015'])
    upstream.reply(raw('{"data":[{"id":"model-a"}]}'), say('OK'))
    expect((await register({ name: 'tested', base_url: upstream.url, secrets: [secret], test: true })).status).toBe(201)
  })

  test('takes an administrator', async () => {
    const engineer = await tenant.as('ai_engineer')
    expect((await engineer.post('/gateway/providers', { name: 'x', kind: 'echo' })).body.error_code).toBe('AUTH-004')
  })
})

describe('changing a provider', () => {
  test('C51 a changed address needs the keys again and an old key is never sent there', async () => {
    const other = await openUpstream()
    try {
      const provider = await addProvider(tenant.admin, 'moving', upstream, { models: ['moving-*'] })
      const path = `/gateway/providers/${provider.id}`
      expect((await tenant.admin.patch(path, { base_url: other.url })).body.errors[0].pointer).toBe('/secrets')
      const moved = await tenant.admin.patch(path, {
        base_url: other.url,
        secrets: [{ id: 'new', value: 'sk-new-0123456789abcdef' }],
      })
      expect(moved.body.data.secrets).toMatchObject([{ id: 'new' }])
      await ask(tenant.admin, 'hello', { model: 'moving-1' })
      expect(other.received[0]?.authorization).toBe('Bearer sk-new-0123456789abcdef')
    } finally {
      await other.close()
    }
  })

  test('is refused when somebody else changed it since it was read', async () => {
    const provider = await addProvider(tenant.admin, 'versioned', upstream)
    const path = `/gateway/providers/${provider.id}`
    const { etag = '' } = (await tenant.admin.get(path)).headers
    const headers = { 'if-match': etag }
    expect((await tenant.admin.patch(path, { models: ['a'] }, { headers })).status).toBe(200)
    expect((await tenant.admin.patch(path, { models: ['b'] }, { headers })).body.error_code).toBe('API-012')
  })

  test('a disabled one is not asked any more', async () => {
    const provider = await addProvider(tenant.admin, 'off', upstream, { models: ['off-*'] })
    upstream.reply(say('Hi.'))
    expect((await ask(tenant.admin, 'hello', { model: 'off-1' })).status).toBe(200)
    await tenant.admin.patch(`/gateway/providers/${provider.id}`, { status: 'disabled' })
    expect((await ask(tenant.admin, 'hello', { model: 'off-1' })).body.error_code).toBe('GW-001')
  })

  test('a removed one is gone with its keys', async () => {
    const provider = await addProvider(tenant.admin, 'gone', upstream)
    const path = `/gateway/providers/${provider.id}`
    expect((await tenant.admin.delete(path)).body.data).toEqual({ id: provider.id, deleted: true })
    expect((await tenant.admin.get(path)).status).toBe(404)
  })

  test('another tenant’s provider does not exist', async () => {
    const provider = await addProvider(tenant.admin, 'mine', upstream)
    const other = await world.tenant('not-mine')
    expect((await other.admin.get(`/gateway/providers/${provider.id}`)).status).toBe(404)
    expect((await other.admin.patch(`/gateway/providers/${provider.id}`, { models: [] })).status).toBe(404)
  })
})

describe('testing a provider', () => {
  test('finds its models, tries a call, and keeps what it found', async () => {
    const provider = await addProvider(tenant.admin, 'probed', upstream, { models: [] })
    upstream.reply(raw('{"data":[{"id":"model-a"},{"id":"model-b"}]}'), say('OK'))
    const report = await tenant.admin.post(`/gateway/providers/${provider.id}/test`, {
      model: 'model-a',
      sync_models: true,
    })
    expect(report.body.data).toMatchObject({ ok: true, models_found: ['model-a', 'model-b'] })
    expect(report.body.data.checks.map(({ name }: { name: string }) => name)).toEqual([
      'resolve',
      'dial',
      'models:main',
      'call:main',
    ])
    const models = await tenant.admin.get('/gateway/models', { query: { provider_id: provider.id } })
    expect(models.body.data.map(({ key }: { key: string }) => key)).toEqual(['probed/model-a', 'probed/model-b'])
    expect((await ask(tenant.admin, 'hello', { model: 'model-a' })).body.data.provider).toBe('probed')
  })

  test('C40 says what is wrong without the provider’s own words', async () => {
    const provider = await addProvider(tenant.admin, 'broken', upstream)
    upstream.reply(fail(500))
    const { data } = (await tenant.admin.post(`/gateway/providers/${provider.id}/test`, {})).body
    expect(data).toMatchObject({ ok: false })
    expect(data.checks[2]).toMatchObject({ name: 'models:main', ok: false, detail: 'server_error: status 500' })
    const shown = (await tenant.admin.get(`/gateway/providers/${provider.id}`)).body.data
    expect(shown.health.last_test.ok).toBe(false)
  })
})

describe('health', () => {
  test('a refused key makes the provider degraded, a success makes it healthy again', async () => {
    const own = await world.tenant('health')
    const provider = await addProvider(own.admin, 'sick', upstream)
    const state = async () => (await own.admin.get(`/gateway/providers/${provider.id}`)).body.data.health.state
    upstream.reply(fail(401))
    await ask(own.admin, 'hello')
    await expect.poll(state).toBe('degraded')
    upstream.reply(say('Better.'))
    await ask(own.admin, 'hello')
    await expect.poll(state).toBe('healthy')
  })

  test('after five failures in a row the provider rests', async () => {
    const own = await world.tenant('resting')
    await addProvider(own.admin, 'tired', upstream)
    upstream.reply(raw('not json'))
    for (let call = 0; call < 5; call += 1) expect((await ask(own.admin, 'hello')).body.error_code).toBe('GW-013')
    const answer = await ask(own.admin, 'hello')
    expect([answer.status, answer.body.error_code]).toEqual([503, 'GW-018'])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(20)
  })
})
