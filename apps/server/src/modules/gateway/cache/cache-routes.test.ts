import { describe, expect, test } from 'vitest'
import { expectStatus, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { cacheOf, entriesOf, untilKept, useCacheWorld, withKey } from '../testing/cache.ts'
import { onlyPolicy } from '../testing/policies.ts'

let world: World
let tenant: TestTenant

useCacheWorld('cache-routes', (made) => {
  ;({ world, tenant } = made)
})

const patch = (body: object, headers = {}) => tenant.admin.patch('/gateway/cache', body, { headers })
const shown = async (query: Record<string, string> = {}) =>
  expectStatus(await tenant.admin.get('/gateway/cache', { query }), 200).body.data

describe('settings', () => {
  test('begin with what policies may use', async () => {
    const { settings, stats, by_route } = await shown()
    expect(settings).toEqual({
      mode: 'exact',
      scope: 'tenant',
      ttl_seconds: 2_592_000,
      max_bytes: 268_435_456,
      semantic: { enabled: false, threshold: 0.95, embedding_model: null },
      updated_at: null,
    })
    expect(stats).toMatchObject({ entries: 0, bytes: 0, hits: 0, hit_rate: null, saved_cost: [] })
    expect(by_route).toEqual([])
  })

  test('change member by member, with their history in the audit log', async () => {
    expectStatus(await patch({ ttl_seconds: 60 }), 200)
    const semantic = { enabled: true, embedding_model: 'echo-embed-1' }
    const changed = expectStatus(await patch({ semantic }), 200).body.data
    expect(changed).toMatchObject({ ttl_seconds: 60, semantic: { ...semantic, threshold: 0.95 } })
    expect((await shown()).settings).toEqual(changed)
    const entries = await world.kernel.db.read(
      tenant.id,
      sql<{ before: object; after: object }>`
        select before, after from audit_entry where action = 'gateway.cache.update' order by at, id`,
    )
    expect(entries).toMatchObject([
      { before: { ttl_seconds: 2_592_000 }, after: { ttl_seconds: 60 } },
      { before: { semantic: { enabled: false } }, after: { semantic } },
    ])
  })

  test('are not changed over a change that was not seen', async () => {
    const { headers } = await tenant.admin.get('/gateway/cache')
    const seen = { 'if-match': String(headers.etag) }
    expectStatus(await patch({ scope: 'user' }, seen), 200)
    expect((await patch({ scope: 'key' }, seen)).body.error_code).toBe('API-012')
  })

  test.each([
    [{ semantic: { enabled: true } }, 400, 'API-001'],
    [{ semantic: { enabled: true, embedding_model: 'nobody-has-this' } }, 422, 'GW-001'],
    [{ semantic: { threshold: 0.89 } }, 400, 'API-001'],
    [{ ttl_seconds: 0 }, 400, 'API-001'],
    [{ max_bytes: 1000 }, 400, 'API-001'],
    [{ mode: 'semantic' }, 400, 'API-001'],
    [{ unknown: 1 }, 400, 'API-001'],
  ])('refuse %j and stay as they were', async (body, status, code) => {
    const answer = await patch(body)
    expect([answer.status, answer.body.error_code]).toEqual([status, code])
    expect((await shown()).settings.updated_at).toBeNull()
  })

  test('are ceilings that count at once, also for what is kept', async () => {
    await onlyPolicy(tenant, { cache: { mode: 'exact', scope: 'tenant' } })
    const [a, b] = [await withKey(tenant, 'a'), await withKey(tenant, 'b')]
    await cacheOf(a.client, 'a question')
    await untilKept(world, tenant, 1)
    expect(await cacheOf(b.client, 'a question')).toBe('hit')
    await patch({ scope: 'key' })
    expect(await cacheOf(b.client, 'a question')).toBe('miss')
    await untilKept(world, tenant, 2)
    await patch({ mode: 'off' })
    expect(await cacheOf(b.client, 'a question')).toBe('off')
    await patch({ mode: 'exact', ttl_seconds: 1 })
    await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      tx.execute(sql`update gateway_cache_entry set created_at = created_at - interval '2 seconds'`),
    )
    expect(await cacheOf(b.client, 'a question')).toBe('miss')
  })

  test('are tightened by a route', async () => {
    const targets = [{ provider: 'local', model: 'test-model' }]
    const made = await tenant.admin.post('/gateway/routes', { name: 'live', targets, cache: { mode: 'off' } })
    expect(expectStatus(made, 201).body.data.cache).toEqual({ mode: 'off' })
    expect(await cacheOf(tenant.admin, 'a question', { model: 'live' })).toBe('off')
    const path = `/gateway/routes/${made.body.data.id}`
    expect(expectStatus(await tenant.admin.patch(path, { cache: null }), 200).body.data.cache).toBeNull()
    expect(await cacheOf(tenant.admin, 'a question', { model: 'live' })).toBe('miss')
  })

  test('are shown to all who read and changed by administrators only', async () => {
    const engineer = await tenant.as('ai_engineer')
    expect((await engineer.get('/gateway/cache')).status).toBe(200)
    expect((await engineer.patch('/gateway/cache', {})).body.error_code).toBe('AUTH-004')
    expect((await engineer.post('/gateway/cache/purge', { all: true })).body.error_code).toBe('AUTH-004')
  })
})

describe('statistics', () => {
  test('come from stored counts, in all and by route, one’s own or all', async () => {
    const targets = [{ provider: 'local', model: 'test-model' }]
    expectStatus(await tenant.admin.post('/gateway/routes', { name: 'fast', targets }), 201)
    const engineer = await tenant.as('ai_engineer')
    for (const content of ['one', 'one', 'one']) await cacheOf(tenant.admin, content)
    await cacheOf(engineer, 'one', { model: 'fast' })
    await untilKept(world, tenant, 2)
    const counted = async () => (await shown({ window: '1h' })).stats
    await expect.poll(async () => (await counted()).misses, { timeout: 20_000 }).toBe(2)
    const { stats, by_route, from } = await shown({ window: '1h' })
    expect(from).toMatch(/:00:00\.000Z$/)
    expect(stats).toMatchObject({ entries: 2, hits: 2, semantic_hits: 0, joined: 0, misses: 2, hit_rate: 0.5 })
    expect(stats.bytes).toBe((await entriesOf(world, tenant)).reduce((sum, { bytes }) => sum + bytes, 0))
    expect(by_route).toMatchObject([
      { route: null, hits: 2, misses: 1 },
      { route: 'fast', hits: 0, misses: 1, hit_rate: 0 },
    ])
    const own = (await engineer.get('/gateway/cache')).body.data
    expect(own.stats).toMatchObject({ entries: 1, hits: 0, misses: 1 })
    expect(own.by_route.map(({ route }: { route: string }) => route)).toEqual(['fast'])
  })
})
