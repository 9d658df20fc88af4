import { describe, expect, test, vi } from 'vitest'
import type { TestTenant, World } from '../../../../../test/support/world.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { cacheOf, entriesOf, untilKept, useCacheWorld, withKey } from '../../testing/cache.ts'
import { ask } from '../../testing/support.ts'
import { say, type Upstream } from '../../testing/upstream.ts'
import { insertEntries } from './statements.ts'
import { sweepCache } from './trim.ts'

let world: World
let upstream: Upstream
let tenant: TestTenant

useCacheWorld('cache-routes', (made) => {
  ;({ world, upstream, tenant } = made)
})

const patch = (body: object, headers = {}) => tenant.admin.patch('/gateway/cache', body, { headers })
const purge = (body: object) => tenant.admin.post('/gateway/cache/purge', body)

describe('a purge', () => {
  async function filled() {
    const targets = [{ provider: 'local', model: 'test-model' }]
    await tenant.admin.post('/gateway/routes', { name: 'fast', targets })
    const key = await withKey(tenant, 'one')
    const first = (await ask(tenant.admin, 'by a person', { cache: undefined })).body.data
    await cacheOf(key.client, 'by a key')
    await cacheOf(tenant.admin, 'by a route', { model: 'fast' })
    await cacheOf(tenant.admin, 'by another model', { model: 'test-other' })
    const entries = await untilKept(world, tenant, 4)
    return { key, first, entries }
  }

  test('takes what its selector says and tells how much it was', async () => {
    const { key, first, entries } = await filled()
    const [policy = ''] = entries[0]?.policies ?? []
    const [policy_id, version] = policy.split('@')
    const gone = async (selector: object) => (await purge(selector)).body.data
    const none = { purged_entries: 0, purged_bytes: 0 }
    for (const selector of [
      { route: 'slow' },
      { older_than_seconds: 3600 },
      { policy_id, policy_version: 99 },
      { route: 'fast', model: 'test-other' },
      { user_id: '01900000-0000-7000-8000-000000000000' },
    ])
      expect(await gone(selector)).toEqual(none)
    expect(await gone({ request_id: first.id })).toEqual({ purged_entries: 1, purged_bytes: entries[0]?.bytes })
    expect(await gone({ route: 'fast' })).toMatchObject({ purged_entries: 1 })
    expect(await gone({ model: 'local/test-other' })).toMatchObject({ purged_entries: 1 })
    expect(await gone({ key_id: key.id, policy_id, policy_version: Number(version) })).toMatchObject({
      purged_entries: 1,
    })
    expect(await entriesOf(world, tenant)).toEqual([])
  })

  test.each([
    ['user', { user_id: 'own' }, 4],
    ['age', { older_than_seconds: 0 }, 4],
    ['everything', { all: true }, 4],
  ])('by %s', async (_what, selector, count) => {
    const { entries } = await filled()
    const user_id = entries[0]?.user_id
    const body = 'user_id' in selector ? { user_id } : selector
    expect((await purge(body)).body.data.purged_entries).toBe(count)
    expect(await cacheOf(tenant.admin, 'by a person')).toBe('miss')
  })

  test('is in the audit log with its selector and its counts', async () => {
    await purge({ all: true })
    const [entry] = await world.kernel.db.read(
      tenant.id,
      sql<{ after: object }>`select after from audit_entry where action = 'gateway.cache.purge'`,
    )
    expect(entry?.after).toEqual({ selector: { all: true }, purged_entries: 0, purged_bytes: 0 })
  })

  test.each([
    [{}, ''],
    [{ all: true, route: 'fast' }, '/all'],
    [{ policy_version: 1 }, '/policy_version'],
    [{ all: false }, '/all'],
  ])('of %j is refused', async (body, pointer) => {
    const answer = await purge(body)
    expect([answer.status, answer.body.errors[0].pointer ?? '']).toEqual([400, pointer])
  })

  test('lets no call that began before keep its answer', async () => {
    let answer = (): void => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    upstream.reply(async (response, received) => {
      await held
      await say('Late.')(response, received)
    })
    const asked = upstream.next()
    const call = cacheOf(tenant.admin, 'a slow question')
    await asked
    await purge({ all: true })
    answer()
    expect(await call).toBe('miss')
    expect(await cacheOf(tenant.admin, 'a slow question')).toBe('miss')
  })

  test('reaches answers that are not stored yet', async () => {
    const first = (await ask(tenant.admin, 'a question', { cache: undefined })).body.data
    await purge({ all: true })
    // Answers kept later are stored later.
    let number = 0
    const kept = await vi.waitFor(async () => {
      number += 1
      await cacheOf(tenant.admin, `question ${number}`)
      const entries = await entriesOf(world, tenant)
      expect(entries).not.toEqual([])
      return entries
    }, 30_000)
    expect(kept.map(({ call_id }) => call_id)).not.toContain(first.id)
    expect(await cacheOf(tenant.admin, 'a question')).toBe('miss')
  })

  test('takes what is being stored meanwhile, and what was asked before is not stored after', async () => {
    await cacheOf(tenant.admin, 'a question')
    const [row] = await untilKept(world, tenant, 1)
    if (row === undefined) throw new Error('nothing was kept')
    const stored = (askedAtMs: number) =>
      insertEntries([{ row: { ...row, id: world.kernel.random.uuid() }, askedAtMs }])
    const storing = world.kernel.db.append([...stored(Date.now()), sql`select pg_sleep(0.2)`])
    await new Promise((resolve) => setTimeout(resolve, 50))
    await purge({ all: true })
    await storing
    expect(await entriesOf(world, tenant)).toEqual([])
    await world.kernel.db.append(stored(Date.now() - 60_000))
    expect(await entriesOf(world, tenant)).toEqual([])
    await world.kernel.db.append(stored(Date.now() + 1_000))
    expect(await entriesOf(world, tenant)).toHaveLength(1)
  })

  test('does not reach another tenant', async () => {
    await cacheOf(tenant.admin, 'a question')
    const [entry] = await untilKept(world, tenant, 1)
    const other = await world.tenant(`cache-purge-${tenant.slug}`)
    for (const body of [{ all: true }, { request_id: entry?.call_id }, { user_id: entry?.user_id }])
      expect((await other.admin.post('/gateway/cache/purge', body)).body.data.purged_entries).toBe(0)
    expect(await cacheOf(tenant.admin, 'a question')).toBe('hit')
  })
})

describe('the sweep', () => {
  test('removes what is over, what newer answers stand before, and the oldest of too much', async () => {
    for (const content of ['one', 'two', 'three']) await cacheOf(tenant.admin, content)
    await cacheOf(tenant.admin, 'three', { cache: { mode: 'refresh' } })
    const [first, second, , newest] = await untilKept(world, tenant, 4)
    const within = (change: ReturnType<typeof sql>) =>
      world.kernel.db.tenant({ tenantId: tenant.id }, (tx) => tx.execute(change))
    await within(sql`update gateway_cache_entry set expires_at = now() where id = ${first?.id ?? ''}`)
    await sweepCache(world.kernel, tenant.id)
    expect((await entriesOf(world, tenant)).map(({ id }) => id)).toEqual([second?.id, newest?.id])
    await within(sql`update gateway_cache_entry set bytes = 700000`)
    await patch({ max_bytes: 1_048_576 })
    expect((await entriesOf(world, tenant)).map(({ id }) => id)).toEqual([newest?.id])
  })
})
