import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { makeRoute } from '../testing/misbehave.ts'
import { addProvider, ask } from '../testing/support.ts'
import { openUpstream, say, type Upstream } from '../testing/upstream.ts'

let world: World
let tenant: TestTenant
let red: Upstream
let blue: Upstream

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('routes')
  red = await openUpstream()
  blue = await openUpstream()
  await addProvider(tenant.admin, 'red', red)
  await addProvider(tenant.admin, 'blue', blue)
})

afterAll(async () => {
  await red?.close()
  await blue?.close()
  await world?.close()
})

afterEach(() => {
  red.received.splice(0)
  blue.received.splice(0)
})

const both = [
  { provider: 'red', model: 'test-r' },
  { provider: 'blue', model: 'test-b' },
]

const list = async (query: Record<string, string> = {}) =>
  expectStatus(await tenant.admin.get('/gateway/routes', { query: { limit: '200', ...query } }), 200).body.data

/** Which provider answered. */
const served = async (model: string, over: object = {}) =>
  expectStatus(await ask(tenant.admin, 'hello', { model, ...over }), 200).body.data.provider

describe('a route', () => {
  test('is made with its defaults and answers calls that name it as their model', async () => {
    const made = await makeRoute(tenant.admin, both)
    expect(made).toMatchObject({
      strategy: 'priority',
      fallback_on: ['error', 'timeout', 'rate_limited', 'bad_response'],
      retry: { max_attempts: 3, base_ms: 250, cap_ms: 4000 },
      hedge: null,
      timeouts: {},
      sticky_key: 'session',
      status: 'active',
      targets: [{ provider: 'red', model: 'test-r', weight: 1, priority: 0, conditions: null }, { provider: 'blue' }],
    })
    const answer = await ask(tenant.admin, 'hello', { model: made.name })
    expect(answer.body.data.provider).toBe('red')
    const row = (await tenant.admin.get(`/gateway/requests/${answer.body.data.id}`)).body.data
    expect(row).toMatchObject({ requested_model: made.name, route: made.name, provider: 'red', model: 'test-r' })
  })

  test.each([
    [{ targets: [] }, 400, '/targets'],
    [{ targets: [{ provider: 'nobody', model: 'x' }] }, 422, '/targets/0/provider'],
    [{ targets: [{ provider: 'red', model: 'other' }] }, 422, '/targets/0/model'],
    [{ targets: [{ provider: 'echo', model: 'echo-9' }] }, 422, '/targets/0/model'],
    [{ targets: both, name: 'Has/Slash' }, 400, '/name'],
    [{ targets: both, strategy: 'random' }, 400, '/strategy'],
    [{ targets: both, retry: { max_attempts: 0 } }, 400, '/retry/max_attempts'],
    [{ targets: both, sticky_key: 'mood' }, 400, '/sticky_key'],
    [{ targets: [{ ...both[0], weight: 1001 }] }, 400, '/targets/0/weight'],
    [{ targets: [{ ...both[0], conditions: { keys: ['nobody'] } }] }, 422, '/targets/0/conditions/keys/0'],
    [
      { targets: [{ ...both[0], conditions: { time: { time_zone: 'Mars/Olympus' } } }] },
      400,
      '/targets/0/conditions/time/time_zone',
    ],
  ])('is not made of %j', async (body, status, pointer) => {
    const answer = await tenant.admin.post('/gateway/routes', { name: 'wrong', ...body })
    expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([status, pointer])
  })

  test('has a name of its own until it is archived, and never changes after that', async () => {
    const body = { name: 'once', targets: both }
    const made = expectStatus(await tenant.admin.post('/gateway/routes', body), 201).body.data
    const again = await tenant.admin.post('/gateway/routes', body)
    expect([again.status, again.body.error_code]).toEqual([409, 'GW-031'])
    const path = `/gateway/routes/${made.id}`
    expectStatus(await tenant.admin.patch(path, { status: 'archived' }), 200)
    const dead = await tenant.admin.patch(path, { status: 'active' })
    expect([dead.status, dead.body.error_code]).toEqual([409, 'API-011'])
    expectStatus(await tenant.admin.post('/gateway/routes', body), 201)
  })

  test('is changed at its version, which the list tells', async () => {
    const made = await makeRoute(tenant.admin, both)
    const [listed] = await list({ name: made.name })
    const path = `/gateway/routes/${made.id}`
    const headers = { 'if-match': listed.etag }
    const changed = await tenant.admin.patch(path, { retry: { base_ms: 5 }, strategy: 'sticky' }, { headers })
    expect(changed.body.data).toMatchObject({
      strategy: 'sticky',
      retry: { max_attempts: 3, base_ms: 5, cap_ms: 4000 },
    })
    const late = await tenant.admin.patch(path, { hedge: { after_ms: 50 } }, { headers })
    expect([late.status, late.body.error_code]).toEqual([412, 'API-012'])
    const hedged = await tenant.admin.patch(path, { hedge: { after_ms: 50 } })
    expect(hedged.body.data.hedge).toEqual({ after_ms: 50 })
    expect((await tenant.admin.patch(path, { hedge: null })).body.data.hedge).toBeNull()
  })

  test('that is paused refuses calls, and one that is archived does not exist', async () => {
    const made = await makeRoute(tenant.admin, both, { status: 'paused' })
    const refused = await ask(tenant.admin, 'hello', { model: made.name })
    expect([refused.status, refused.body.error_code]).toEqual([422, 'GW-001'])
    expect(refused.body.detail).toContain('paused')
    await tenant.admin.patch(`/gateway/routes/${made.id}`, { status: 'active' })
    expect(await served(made.name)).toBe('red')
    await tenant.admin.patch(`/gateway/routes/${made.id}`, { status: 'archived' })
    expect((await ask(tenant.admin, 'hello', { model: made.name })).body.detail).toContain('No enabled provider')
    expect((await list({ status: 'archived' })).map(({ id }: { id: string }) => id)).toContain(made.id)
  })

  test('stands before a model of its name, and a named provider before both', async () => {
    await makeRoute(tenant.admin, [both[1] ?? {}], { name: 'test-same' })
    expect(await served('test-same')).toBe('blue')
    expect(await served('test-same', { provider: 'red' })).toBe('red')
    expect(await served('red/test-same')).toBe('red')
  })

  test('is not changed by who may only call models', async () => {
    const engineer = await tenant.as('ai_engineer')
    const answer = await engineer.post('/gateway/routes', { name: 'mine', targets: both })
    expect(answer.status).toBe(403)
  })

  test('is stopped by a kill switch of its name', async () => {
    const made = await makeRoute(tenant.admin, both)
    const reason = 'The route is stopped for this test'
    expectStatus(await tenant.admin.post('/gateway/kill-switches', { scope: 'route', value: made.name, reason }), 201)
    const answer = await ask(tenant.admin, 'hello', { model: made.name })
    expect([answer.status, answer.body.error_code]).toEqual([503, 'GW-010'])
    expect(red.received).toHaveLength(0)
    expect(await served('red/test-r')).toBe('red')
  })
})

describe('targets', () => {
  test('have turns by their weight', async () => {
    const [first, second] = both
    const made = await makeRoute(
      tenant.admin,
      [
        { ...first, weight: 3 },
        { ...second, weight: 1 },
      ],
      { strategy: 'weighted' },
    )
    const turns: string[] = []
    for (let turn = 0; turn < 8; turn += 1) turns.push(await served(made.name))
    expect(turns.filter((name) => name === 'red')).toHaveLength(6)
    expect(turns.slice(0, 4).filter((name) => name === 'blue')).toHaveLength(1)
  })

  test('are kept by what sticks', async () => {
    const made = await makeRoute(tenant.admin, both, { strategy: 'sticky', sticky_key: 'metadata.session_id' })
    const seen = new Set<string>()
    for (let session = 0; session < 12; session += 1) {
      const metadata = { session_id: `s-${session}` }
      const provider = await served(made.name, { metadata })
      expect(await served(made.name, { metadata })).toBe(provider)
      seen.add(provider)
    }
    expect(seen.size).toBe(2)
  })

  test('are chosen by their conditions', async () => {
    const [first, second] = both
    const gold = { ...second, conditions: { metadata: { tier: ['gold'] } } }
    const made = await makeRoute(tenant.admin, [{ ...first, priority: 1 }, gold])
    expect(await served(made.name)).toBe('red')
    expect(await served(made.name, { metadata: { tier: 'gold' } })).toBe('blue')
    const only = await makeRoute(tenant.admin, [gold])
    expect((await ask(tenant.admin, 'hello', { model: only.name })).body.error_code).toBe('GW-001')
  })

  test('are chosen by the class of what is in the call, declared or found', async () => {
    const [first, second] = both
    const inside = { ...first, conditions: { data_classes: ['confidential', 'restricted'] } }
    const outside = { ...second, conditions: { data_classes: ['public', 'internal'] } }
    const made = await makeRoute(tenant.admin, [inside, outside])
    expect(await served(made.name)).toBe('blue')
    expect(await served(made.name, { metadata: { classification: 'restricted' } })).toBe('red')
    const only = await makeRoute(tenant.admin, [inside])
    const refused = await ask(tenant.admin, 'hello', { model: only.name })
    expect([refused.status, refused.body.error_code]).toEqual([422, 'GW-001'])
    const strict = await makeRoute(tenant.admin, [{ ...second, conditions: { data_classes: ['public'] } }])
    const found = await ask(tenant.admin, 'Our server is 93.184.216.34 in the rack', { model: strict.name })
    expect(found.body.error_code).toBe('GW-001')
    expect(await served(strict.name)).toBe('blue')
  })

  test('are chosen by where their providers work, which is asked at each call', async () => {
    const [first, second] = both
    const inside = { ...first, conditions: { residency: ['EEA', 'CH'] } }
    const { name } = await makeRoute(tenant.admin, [inside, { ...second, priority: 1 }])
    const { data } = (await tenant.admin.get('/gateway/providers')).body
    const { id } = data.find((provider: { name: string }) => provider.name === 'red')
    const move = async (residency: readonly string[]) =>
      expectStatus(await tenant.admin.patch(`/gateway/providers/${id}`, { residency }), 200)
    expect(await served(name)).toBe('blue')
    for (const regions of [['DE', 'NO'], ['CH'], ['EU']]) {
      await move(regions)
      expect(await served(name)).toBe('red')
    }
    await move(['DE', 'US'])
    expect(await served(name)).toBe('blue')
    const only = await makeRoute(tenant.admin, [inside])
    const refused = await ask(tenant.admin, 'hello', { model: only.name })
    expect([refused.status, refused.body.error_code]).toEqual([422, 'GW-001'])
    await move([])
  })

  test('of a disabled provider are left out, and without any there is no healthy one', async () => {
    const other = await addProvider(tenant.admin, 'green', red)
    const made = await makeRoute(tenant.admin, [{ provider: 'green', model: 'test-g' }, both[1] ?? {}])
    const alone = await makeRoute(tenant.admin, [{ provider: 'green', model: 'test-g' }])
    await tenant.admin.patch(`/gateway/providers/${other.id}`, { status: 'disabled' })
    expect(await served(made.name)).toBe('blue')
    const answer = await ask(tenant.admin, 'hello', { model: alone.name })
    expect([answer.status, answer.body.error_code]).toEqual([503, 'GW-018'])
  })

  test('may be the demo provider where the route lists it', async () => {
    const made = await makeRoute(tenant.admin, [{ provider: 'echo', model: 'echo-1' }])
    expect(await served(made.name)).toBe('echo')
  })
})

describe('a provider that routes ask', () => {
  test('is not removed, keeps its place under another name, and goes when they are archived', async () => {
    const used = await addProvider(tenant.admin, 'used', red)
    const made = await makeRoute(tenant.admin, [{ provider: 'used', model: 'test-u' }])
    const refused = await tenant.admin.delete(`/gateway/providers/${used.id}`)
    expect([refused.status, refused.body.error_code]).toEqual([409, 'GW-024'])
    expect(refused.body.detail).toContain(made.name)
    await tenant.admin.patch(`/gateway/providers/${used.id}`, { name: 'renamed' })
    expect((await list({ name: made.name }))[0].targets[0].provider).toBe('renamed')
    expect(await served(made.name)).toBe('renamed')
    await tenant.admin.patch(`/gateway/routes/${made.id}`, { status: 'archived' })
    expectStatus(await tenant.admin.delete(`/gateway/providers/${used.id}`), 200)
  })
})

describe('what no model can read', () => {
  test('is refused where the window is known', async () => {
    await addProvider(tenant.admin, 'windowed', blue, { kind: 'openai', models: ['gpt-4'] })
    const made = await makeRoute(tenant.admin, [{ provider: 'windowed', model: 'gpt-4' }])
    blue.reply(say('Read it.'))
    const long = 'A plain sentence that says nothing. '.repeat(1300)
    const answer = await ask(tenant.admin, long, { model: made.name })
    expect([answer.status, answer.body.error_code]).toEqual([422, 'GW-021'])
    expect(blue.received).toHaveLength(0)
    const wider = await makeRoute(tenant.admin, [{ provider: 'windowed', model: 'gpt-4' }, both[0] ?? {}])
    expect((await ask(tenant.admin, long, { model: wider.name })).body.data.provider).toBe('red')
  })
})
