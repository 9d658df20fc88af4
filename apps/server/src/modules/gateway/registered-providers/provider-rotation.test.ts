import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectStatus, openWorld, type TestTenant, type World } from '../../../../test/support/world.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { eventually } from '../testing/money.ts'
import { addProvider, ask } from '../testing/support.ts'
import { fail, openUpstream, type Reply, raw, say, type Upstream } from '../testing/upstream.ts'
import { shredOldKeys } from './provider-rotation.ts'

let world: World
let tenant: TestTenant
let upstream: Upstream
let made = 0

const [oldKey, newKey, newerKey] = [
  'sk-test-0123456789abcdef',
  'sk-new-0123456789abcdef00',
  'sk-newer-0123456789abcd00',
]

beforeAll(async () => {
  world = await openWorld()
  tenant = await world.tenant('rotation')
  upstream = await openUpstream()
})

afterAll(async () => {
  await upstream?.close()
  await world?.close()
})

afterEach(() => {
  upstream.received.splice(0)
})

/** Knows these keys and no others. */
function knows(...keys: readonly (string | undefined)[]): Reply {
  return (response, received) => {
    const isKnown = keys.some((key) => received.authorization === `Bearer ${key}`)
    if (!isKnown) return fail(401)(response, received)
    return received.path.endsWith('/models')
      ? raw('{"data":[{"id":"test-model"}]}')(response, received)
      : say('OK')(response, received)
  }
}

async function provider() {
  made += 1
  return addProvider(tenant.admin, `rotated-${made}`, upstream)
}

const rotate = (id: string, body: object) =>
  tenant.admin.post(`/gateway/providers/${id}/rotate-secret`, { key_id: 'main', value: newKey, ...body })
const stored = (id: string) =>
  world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
    tx.query(
      sql<{ version: number }>`select version from gateway_provider_secret where provider_id = ${id} order by 1`,
    ),
  )
const usedKeys = () =>
  upstream.received.filter(({ path }) => !path.endsWith('/models')).map(({ authorization }) => authorization)

describe('rotating a key', () => {
  test('tries the new version, uses it from then on, and shows it', async () => {
    const { id, name } = await provider()
    upstream.reply(knows(oldKey, newKey))
    const before = Date.now()
    const { data } = expectStatus(await rotate(id, {}), 200).body
    expect(data).toMatchObject({ key_id: 'main', version: 2, hint: 'ef00' })
    expect(Date.parse(data.old_valid_until) - before).toBeGreaterThan(290_000)
    expect(upstream.received.map(({ authorization }) => authorization)).toEqual([
      `Bearer ${newKey}`,
      `Bearer ${newKey}`,
    ])
    upstream.received.splice(0)
    await ask(tenant.admin, 'hello', { provider: name })
    expect(usedKeys()).toEqual([`Bearer ${newKey}`])
    const shown = await tenant.admin.get(`/gateway/providers/${id}`)
    expect(shown.body.data.secrets).toMatchObject([{ id: 'main', version: 2, hint: 'ef00' }])
    expect(shown.text).not.toContain('sk-')
  })

  test('is refused with a version that does not work, unless nobody wants to know', async () => {
    const { id } = await provider()
    upstream.reply(knows(oldKey))
    const refused = await rotate(id, {})
    expect([refused.status, refused.body.error_code]).toEqual([502, 'GW-015'])
    expect(await stored(id)).toEqual([{ version: 1 }])
    upstream.reply(fail(500))
    expect((await rotate(id, {})).body.error_code).toBe('GW-011')
    expectStatus(await rotate(id, { skip_test: true }), 200)
  })

  test('is refused with a version that may list the models and use none', async () => {
    const { id } = await provider()
    upstream.reply((response, received) =>
      (received.path.endsWith('/models') ? knows(newKey) : fail(403))(response, received),
    )
    const refused = await rotate(id, {})
    expect([refused.status, refused.body.error_code]).toEqual([502, 'GW-015'])
    expect(await stored(id)).toEqual([{ version: 1 }])
  })

  test('lets the version before stand in while the new one is refused', async () => {
    const { id, name } = await provider()
    expectStatus(await rotate(id, { skip_test: true, overlap_seconds: 600 }), 200)
    upstream.reply(knows(oldKey))
    const answer = expectStatus(await ask(tenant.admin, 'hello', { provider: name }), 200)
    expect(usedKeys()).toEqual([`Bearer ${newKey}`, `Bearer ${oldKey}`])
    const row = (await tenant.admin.get(`/gateway/requests/${answer.body.data.id}`)).body.data
    expect(row.attempts.map((attempt: { key_id: string }) => attempt.key_id)).toEqual(['main', 'main@1'])
  })

  test('without an overlap the version before is gone at once', async () => {
    const { id, name } = await provider()
    expectStatus(await rotate(id, { skip_test: true, overlap_seconds: 0 }), 200)
    expect(await stored(id)).toEqual([{ version: 2 }])
    upstream.reply(knows(oldKey))
    expect((await ask(tenant.admin, 'hello', { provider: name })).body.error_code).toBe('GW-015')
    expect(usedKeys()).toEqual([`Bearer ${newKey}`])
  })

  test('twice keeps one version before, and what is over is destroyed', async () => {
    const { id } = await provider()
    expectStatus(await rotate(id, { skip_test: true }), 200)
    expectStatus(await rotate(id, { skip_test: true, value: newerKey }), 200)
    expect(await stored(id)).toEqual([{ version: 2 }, { version: 3 }])
    const later = { ...world.kernel.clock, iso: () => new Date(Date.now() + 301_000).toISOString() }
    await shredOldKeys({ db: world.kernel.db, clock: later }, tenant.id)
    expect(await stored(id)).toEqual([{ version: 3 }])
  })

  test('of a key that is not there is 404, and is told with an event', async () => {
    const { id } = await provider()
    expect((await rotate(id, { key_id: 'other' })).status).toBe(404)
    expectStatus(await rotate(id, { skip_test: true }), 200)
    const told = () =>
      world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
        tx.query(
          sql<{ subject: string }>`select subject from event_log where type like '%SecretRotated' and subject = ${id}`,
        ),
      )
    expect(await eventually(told, (rows) => rows.length > 0)).toHaveLength(1)
  })
})
