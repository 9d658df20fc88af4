import { afterEach, describe, expect, test, vi } from 'vitest'
import type { TestClient } from '../../../../test/support/client.ts'
import { expectStatus, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { cached, cacheOf, entriesOf, tenantWithProvider, untilKept, useCacheWorld, withKey } from '../testing/cache.ts'
import { onlyPolicy, published } from '../testing/policies.ts'
import { ask, framesOf } from '../testing/support.ts'
import { fail, say, sayBack, streamed, type Upstream } from '../testing/upstream.ts'

let world: World
let upstream: Upstream
let tenant: TestTenant

useCacheWorld('cache', (made) => {
  ;({ world, upstream, tenant } = made)
})

afterEach(() => vi.restoreAllMocks())

const twice = async (first: TestClient, second: TestClient, over: object = {}): Promise<readonly string[]> => {
  const statuses = [await cacheOf(first, 'the same question', over)]
  return [...statuses, await cacheOf(second, 'the same question', over)]
}

describe('a partition', () => {
  test('is one key by default, also of one person', async () => {
    const [a, b] = [await withKey(tenant, 'a'), await withKey(tenant, 'b')]
    expect(await twice(a.client, b.client)).toEqual(['miss', 'miss'])
    expect(await twice(a.client, a.client)).toEqual(['hit', 'hit'])
  })

  test('is one person, one role or the tenant where the policy says so', async () => {
    const [a, b] = [await withKey(tenant, 'a'), await withKey(tenant, 'b')]
    const engineer = await tenant.as('ai_engineer')
    await onlyPolicy(tenant, { cache: { mode: 'exact', scope: 'user' } })
    expect(await twice(a.client, b.client)).toEqual(['miss', 'hit'])
    expect(await cacheOf(engineer, 'the same question')).toBe('miss')
    await onlyPolicy(tenant, { cache: { mode: 'exact', scope: 'role' } })
    expect(await twice(tenant.admin, engineer)).toEqual(['miss', 'miss'])
    await onlyPolicy(tenant, { cache: { mode: 'exact', scope: 'tenant' } })
    expect(await twice(tenant.admin, engineer)).toEqual(['miss', 'hit'])
  })

  test('C10 never reaches another tenant, however wide', async () => {
    const other = await tenantWithProvider(world, `cache-other-${tenant.slug}`, upstream)
    for (const one of [tenant, other]) await onlyPolicy(one, { cache: { mode: 'exact', scope: 'tenant' } })
    expect(await twice(tenant.admin, other.admin)).toEqual(['miss', 'miss'])
    expect(upstream.received).toHaveLength(2)
  })

  test('ends with a version of a policy, and comes back with it', async () => {
    expect(await twice(tenant.admin, tenant.admin)).toEqual(['miss', 'hit'])
    const id = await onlyPolicy(tenant, { ...cached, models: { max_temperature: 1.5 } })
    expect(await twice(tenant.admin, tenant.admin)).toEqual(['miss', 'hit'])
    // Same rules as before the change, but a different version.
    const path = `/gateway/policies/${id}`
    const { latest_version: version } = (await tenant.admin.patch(path, { document: {} })).body.data
    expectStatus(await tenant.admin.post(`${path}/publish`, { version }), 200)
    expect(await twice(tenant.admin, tenant.admin)).toEqual(['miss', 'hit'])
    expectStatus(await tenant.admin.post(`${path}/publish`, { version: 2 }), 200)
    expect(await cacheOf(tenant.admin, 'the same question')).toBe('hit')
  })

  test('is left by a call under one more policy', async () => {
    await cacheOf(tenant.admin, 'the same question')
    await published(tenant, 'tighter', { ...cached, models: { max_temperature: 1.9 } }, [])
    expect(await cacheOf(tenant.admin, 'the same question', { policy_id: 'tighter' })).toBe('miss')
  })

  test('holds what the caller declares: nobody shares an answer with a restricted call', async () => {
    const restricted = { metadata: { classification: 'restricted' } }
    expect(await twice(tenant.admin, tenant.admin, restricted)).toEqual(['miss', 'hit'])
    expect(await cacheOf(tenant.admin, 'the same question')).toBe('miss')
  })

  test('holds what was found in the call: names in the clear are another kind of data', async () => {
    await cacheOf(tenant.admin, 'the same question')
    const [entry] = await untilKept(world, tenant, 1)
    expect(entry).toMatchObject({ key_id: null, provider: 'local', model: 'test-model', route: null, context: null })
  })
})

describe('a hit', () => {
  test('costs no call to the model and is logged, audited and counted like any other', async () => {
    await cacheOf(tenant.admin, 'a question')
    const again = (await ask(tenant.admin, 'a question', { cache: undefined })).body.data
    expect(again).toMatchObject({
      cache: 'hit',
      cost: { amount: null, status: 'free' },
      usage: { completion_tokens: 7 },
    })
    const logged = (await tenant.admin.get(`/gateway/requests/${again.id}`, { query: { verify: 'true' } })).body.data
    expect(logged).toMatchObject({
      cache: 'hit',
      status: 'completed',
      attempts: [],
      payload: { answer: [{ text: 'Hello.' }] },
    })
    expect(logged.timings.saved_ms).toBeGreaterThan(0)
    expect(logged.audit_id).not.toBeNull()
    expect(upstream.received).toHaveLength(1)
  })

  test('counts in the limits of the policy', async () => {
    await onlyPolicy(tenant, {
      ...cached,
      limits: [{ id: 'rpm', per: 'user', unit: 'requests', max: 2, window_seconds: 60 }],
    })
    expect(await twice(tenant.admin, tenant.admin)).toEqual(['miss', 'hit'])
    expect((await ask(tenant.admin, 'the same question', { cache: undefined })).body.error_code).toBe('GW-008')
  })

  test('has the asker’s own values and none of those of the first', async () => {
    upstream.reply(sayBack(({ body }) => `Written to ${body.messages[0].content}`))
    const over = { cache: undefined }
    await ask(tenant.admin, 'carl@example.org', over)
    const [entry] = await untilKept(world, tenant, 1)
    for (const word of ['carl', 'Written', 'EMAIL'])
      expect(Buffer.from(entry?.sealed ?? []).toString('latin1')).not.toContain(word)
    const again = (await ask(tenant.admin, 'dora@example.org', over)).body.data
    expect(again.cache).toBe('hit')
    expect(again.choices[0].message.content).toBe('Written to dora@example.org')
  })

  test('is replayed as a stream, event by event as it first came', async () => {
    upstream.reply(streamed(['One ', 'two ', 'three.']))
    const stream = async () => {
      const answer = await ask(tenant.admin, 'count', { stream: true, cache: undefined })
      const frames = framesOf(answer.text).filter(({ event }) => event === 'chunk')
      return frames.map(({ data }) => JSON.stringify(data.data.choices))
    }
    const first = await stream()
    expect(first.join()).toContain('three.')
    expect(await stream()).toEqual(first)
    const whole = (await ask(tenant.admin, 'count', { cache: undefined })).body.data
    expect(whole).toMatchObject({ cache: 'hit', choices: [{ message: { content: 'One two three.' } }] })
    expect(upstream.received).toHaveLength(1)
  })

  test('is refused where the route rests, a switch is thrown or the model is no longer allowed', async () => {
    const route = { name: 'cached', targets: [{ provider: 'local', model: 'test-model' }] }
    const { id } = expectStatus(await tenant.admin.post('/gateway/routes', route), 201).body.data
    const over = { model: 'cached', cache: undefined }
    await cacheOf(tenant.admin, 'a question', over)
    expect(await cacheOf(tenant.admin, 'a question', over)).toBe('hit')
    expectStatus(await tenant.admin.patch(`/gateway/routes/${id}`, { status: 'paused' }), 200)
    expect((await ask(tenant.admin, 'a question', over)).body.error_code).toBe('GW-001')
    expectStatus(await tenant.admin.patch(`/gateway/routes/${id}`, { status: 'active' }), 200)
    expect(await cacheOf(tenant.admin, 'a question', over)).toBe('hit')
    const reason = 'A reason that is long enough'
    await tenant.admin.post('/gateway/kill-switches', { scope: 'route', value: 'cached', reason })
    expect((await ask(tenant.admin, 'a question', over)).body.error_code).toBe('GW-010')
    await cacheOf(tenant.admin, 'a question')
    await onlyPolicy(tenant, { ...cached, models: { deny: ['test-model'] } })
    expect((await ask(tenant.admin, 'a question', { cache: undefined })).body.error_code).toBe('GW-007')
  })

  test('is as old as the caller takes it, and a refresh replaces it', async () => {
    upstream.reply(say('Old.'), say('Newer.'), say('New.'))
    await cacheOf(tenant.admin, 'a question')
    await untilKept(world, tenant, 1)
    await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
      tx.execute(sql`update gateway_cache_entry set created_at = created_at - interval '10 seconds'`),
    )
    expect(await cacheOf(tenant.admin, 'a question', { cache: { max_age_s: 30 } })).toBe('hit')
    expect(await cacheOf(tenant.admin, 'a question', { cache: { mode: 'exact', max_age_s: 0 } })).toBe('miss')
    await untilKept(world, tenant, 2)
    expect(await cacheOf(tenant.admin, 'a question', { cache: { mode: 'refresh' } })).toBe('miss')
    await untilKept(world, tenant, 3)
    const { choices } = (await ask(tenant.admin, 'a question', { cache: undefined })).body.data
    expect(choices[0].message.content).toBe('New.')
  })
})

describe('what is the same under way', () => {
  test('asks the model once, however many there are', async () => {
    const calls = Array.from({ length: 50 }, () => cacheOf(tenant.admin, 'all at once'))
    const statuses = await Promise.all(calls)
    expect(statuses.filter((status) => status === 'miss')).toHaveLength(1)
    expect(upstream.received).toHaveLength(1)
    await untilKept(world, tenant, 1)
    expect(await entriesOf(world, tenant)).toHaveLength(1)
  })

  test('asks for itself when the first one fails', async () => {
    upstream.reply(fail(400), say('Hello.'))
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => ask(tenant.admin, 'all at once', { cache: undefined })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 422])
  })
})

describe('a store that fails', () => {
  test('to keep an answer costs the next call only a miss', async () => {
    const failing = vi.spyOn(world.kernel.db, 'appendUnsynced').mockRejectedValue(new Error('gone before the fill'))
    expect(await cacheOf(tenant.admin, 'a question')).toBe('miss')
    // Until storing has failed, waiting calls can still get the answer from the flight.
    await expect.poll(() => cacheOf(tenant.admin, 'a question')).toBe('miss')
    failing.mockRestore()
    await untilKept(world, tenant, 1)
    expect(await cacheOf(tenant.admin, 'a question')).toBe('hit')
  })

  test('to read lets the call go on, and nobody wait', async () => {
    const { read } = world.kernel.db
    const failing = vi.spyOn(world.kernel.db, 'read').mockImplementation((id, statement) => {
      const isLookup = JSON.stringify(statement).includes('gateway_cache_entry')
      return isLookup ? Promise.reject(new Error('away')) : read(id, statement)
    })
    const statuses = await Promise.all(Array.from({ length: 3 }, () => cacheOf(tenant.admin, 'a question')))
    expect(statuses.sort()).toEqual(['miss', 'miss', 'off'])
    failing.mockRestore()
    await untilKept(world, tenant, 1)
    expect(await cacheOf(tenant.admin, 'a question')).toBe('hit')
  })
})
